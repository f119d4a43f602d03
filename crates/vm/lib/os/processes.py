# Processes, of which the sandbox starts none.


def system(command):
    if not isinstance(command, (str, bytes)):
        _throw("os.system of that")
    # The status of a shell that could not be started.
    return _unknown("os.system", 32512)
