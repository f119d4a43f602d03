S = ValueError("s")
def log():
    try:
        raise S
    except ValueError:
        pass
log()
raise S if not log() else None
