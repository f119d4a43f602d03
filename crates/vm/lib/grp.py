# Groups of the machine, of which nothing is known.
# Level: methods


def getgrgid(id):
    _throw("grp.getgrgid")


def getgrnam(name):
    _throw("grp.getgrnam")


def getgrall():
    _throw("grp.getgrall")
