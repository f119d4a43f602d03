# Users of the machine, who are unknown.
# Level: methods


def getpwuid(uid, /):
    _throw("pwd.getpwuid")


def getpwnam(name, /):
    _throw("pwd.getpwnam")


def getpwall():
    _throw("pwd.getpwall")
