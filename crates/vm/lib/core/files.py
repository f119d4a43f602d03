# Functions that the machine calls.


def _print_to(file, args, sep, end, flush=None):
    write = file.write
    for i, x in enumerate(args):
        if i != 0:
            write(" " if sep is None else sep)
        write(_str(x))
    write("\n" if end is None else end)
    if flush:
        file.flush()
