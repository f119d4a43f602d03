def load():
    try:
        return int("x")
    except ValueError:
        note = "logged"
        raise


load()
