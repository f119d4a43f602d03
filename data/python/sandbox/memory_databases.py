"""Databases of `sqlite3` in memory, under the paths of the program's files.

SQLite opens files in C, which the sandbox denies. A path in a directory of the program identifies a database that
lives as long as the file: every connection to it sees the same data, and it can be closed and reopened.

Not supported: showing the contents of a database as its file's bytes, using a file with contents as a database,
finding it again by `ATTACH` (which gives another in-memory one), and reading in one connection while another one
writes (the database is then locked).
"""


def keep_databases_in_memory(files):
    """`files`: the `MemoryFiles` of the next program."""
    try:
        import sqlite3
    except ImportError:
        return
    connect, held = sqlite3.connect, {}
    # Shared databases of connections in one process: with file-like locks, otherwise with table locks.
    shared = "file:/%d?vfs=memdb" if sqlite3.sqlite_version_info >= (3, 36) else "file:db%d?mode=memory&cache=shared"

    def address_of(database):
        """The target of the program's path, or None if it has none."""
        key = files.key(database)
        node = files.nodes.get(key)
        if node is None:
            if not files.may_make(key):
                return None
            node = files.make(key, bytearray())
        if node.data is None or node.data:
            return None
        address = shared % node.number
        if node.number not in held:
            held[node.number] = node, connect(address, uri=True)
        return address

    def opened(database, arguments, keywords):
        """The arguments of a connection."""
        text = os.fsdecode(database) if isinstance(database, (str, bytes, os.PathLike)) else ""
        is_address = keywords.get("uri", arguments[6] if len(arguments) > 6 else False)
        if text in ("", ":memory:") or is_address and text[:5] == "file:":
            return database, arguments, keywords
        address = address_of(text)
        if address is None:
            return database, arguments, keywords
        if len(arguments) > 6:
            arguments = arguments[:6] + (True,) + arguments[7:]
        else:
            keywords = dict(keywords, uri=True)
        return address, arguments, keywords

    def connect_in_memory(database, *arguments, **keywords):
        database, arguments, keywords = opened(database, arguments, keywords)
        return connect(database, *arguments, **keywords)

    connect_in_memory.__name__ = connect_in_memory.__qualname__ = "connect"
    connect_in_memory.__module__ = "_sqlite3"
    sqlite3.connect = sqlite3.dbapi2.connect = connect_in_memory
