class AppError(Exception):
    pass


try:
    {}["k"]
except KeyError as e:
    raise AppError("lookup", 2) from e
