//! Attacks on what lies outside: files, sockets.

use super::*;

/// A directory of the machine with a secret in it, world-readable: only the sandbox protects it.
struct Canary {
    home: tempfile::TempDir,
    file: PathBuf,
}

const SECRET: &str = "canary-5b1f";

impl Canary {
    fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let open = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(home.path(), open.clone()).unwrap();
        std::fs::create_dir(home.path().join(".ssh")).unwrap();
        let file = home.path().join(".ssh/id_ed25519");
        std::fs::write(&file, SECRET).unwrap();
        std::fs::set_permissions(&file, open).unwrap();
        Self { home, file }
    }

    /// Everything there is to see of the directory.
    fn look(&self) -> HashMap<PathBuf, (String, u32, std::time::SystemTime)> {
        use std::os::unix::fs::PermissionsExt;
        let mut seen = HashMap::new();
        for dir in [self.home.path().to_owned(), self.home.path().join(".ssh")] {
            for entry in std::fs::read_dir(dir).unwrap() {
                let entry = entry.unwrap();
                let about = std::fs::symlink_metadata(entry.path()).unwrap();
                let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
                let mode = about.permissions().mode();
                seen.insert(entry.path(), (text, mode, about.modified().unwrap()));
            }
        }
        seen
    }
}

#[test]
fn writing_outside() {
    let canary = Canary::new();
    let before = canary.look();
    let file = format!("{:?}", canary.file);
    let new = format!("{:?}", canary.home.path().join("new"));
    all_refused(
        &format!("import os\nfile, new = {file}, {new}\n"),
        &[
            "open(file, 'a').write('x')",
            "open(file, 'w')",
            "open(new, 'w')",
            "os.truncate(file, 0)",
            "os.unlink(file)",
            "os.rename(file, new)",
            "os.chmod(file, 0o600)",
            "os.chown(file, 1, 1)",
            "os.utime(file, (1, 1))",
            "os.setxattr(file, 'user.x', b'1')",
            "os.link(file, new)",
            "os.symlink(file, new)",
            "os.mkdir(new)",
            "os.mkfifo(new)",
            "os.mknod(new)",
            // Below the files in memory.
            "__import__('posix').open('/tmp/codexec-escaped', os.O_CREAT | os.O_WRONLY)",
            "__import__('_io').FileIO('/tmp/codexec-escaped', 'w')",
            "__import__('posix').mkdir('codexec-escaped')",
            "open('/dev/shm/codexec-escaped', 'w')",
            "open('/etc/codexec-escaped', 'w')",
            "__import__('posix').open('codexec-escaped', os.O_CREAT | os.O_WRONLY)",
            "open('/proc/self/mem', 'r+b')",
            "__import__('sqlite3').connect('/etc/codexec-escaped').execute('create table t (a)')",
            "__import__('sqlite3').connect('file:/tmp/codexec-escaped?vfs=unix', uri=True).execute('create table t (a)')",
            "__import__('dbm').open('/etc/codexec-escaped', 'c')",
            "os.chroot('/')",
            "1 // (__import__('ctypes').CDLL(None).mount(b'x', b'/', b'tmpfs', 0, 0) == 0)",
        ],
    );
    attack(
        "open('codexec-escaped', 'w').write('x')\nopen('/tmp/codexec-escaped', 'w').write('x')\n",
        |trace| assert_eq!(trace.outcome, Outcome::Finished),
    );
    // What is attached to a database in memory is in memory, too.
    let attached = "import sqlite3\nc = sqlite3.connect('codexec-escaped')\nc.execute('create table t (a)')\n\
         c.execute(\"attach '/tmp/codexec-escaped' as e\")\nc.execute('create table e.t (a)')\n";
    attack(attached, |trace| {
        assert_eq!(trace.outcome, Outcome::Finished);
    });
    assert_eq!(canary.look(), before);
    for dir in ["/tmp", "/dev/shm", "/etc", "/", "."] {
        assert!(!Path::new(dir).join("codexec-escaped").exists(), "{dir}");
    }
}

#[test]
fn reading_what_is_not_its_own() {
    let canary = Canary::new();
    assert_eq!(std::fs::read_to_string(&canary.file).unwrap(), SECRET);
    let file = format!("{:?}", canary.file);
    let home = format!("{:?}", canary.home.path());
    let real = std::env::var("HOME").unwrap_or_else(|_| "/root".into());
    all_refused(
        &format!("import os\nfile, home, real = {file}, {home}, {real:?}\n"),
        &[
            "open(file).read()",
            "os.open(file, os.O_RDONLY)",
            "os.listdir(home)",
            "os.listdir(home + '/.ssh')",
            "os.listdir(real + '/.ssh')",
            "open(real + '/.ssh/id_rsa').read()",
            "os.listdir(real)",
            "open('/etc/passwd').read()",
            "open('/etc/shadow').read()",
            "open('/proc/self/environ').read()",
            "open('/proc/1/environ').read()",
            "open('/proc/self/maps').read()",
            "open('/dev/tty')",
            "os.listdir('/etc')",
            "os.listdir('/proc')",
            "os.listdir('/home')",
            "os.open('/', os.O_RDONLY | os.O_PATH) and os.listdir('/root')",
        ],
    );
    // Nor is anything of the driver's environment there.
    let source = "import os, ctypes\nctypes.CDLL(None).getenv.restype = ctypes.c_char_p\n\
        print(sorted(os.environ), ctypes.CDLL(None).getenv(b'HOME'))\n";
    attack(source, |trace| {
        assert!(trace.output().ends_with("None\n") || trace.output().ends_with(" 0\n"));
        assert!(!trace.output().contains("HOME"), "{}", trace.output());
    });
}

#[test]
fn leaving_through_a_directory_of_packages() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let canary = Canary::new();
    let before = canary.look();
    let place = tempfile::tempdir().unwrap();
    let packages = place.path().join("packages");
    std::fs::create_dir(&packages).unwrap();
    let write = |name: &str, text: &str| {
        let file = packages.join(name);
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o777)).unwrap();
    };
    write("innocuous.py", "x = 7\n");
    write("tool", "#!/bin/sh\necho escaped\n");
    std::fs::set_permissions(&packages, std::fs::Permissions::from_mode(0o777)).unwrap();
    std::fs::write(place.path().join("beside.py"), "secret = 1\n").unwrap();
    symlink(&canary.file, packages.join("key")).unwrap();
    symlink(&canary.file, packages.join("linked.py")).unwrap();
    symlink(canary.home.path(), packages.join("home")).unwrap();
    symlink("..", packages.join("up")).unwrap();
    symlink("/etc", packages.join("etc")).unwrap();
    let config = || PoolConfig {
        packages: Packages {
            installed: false,
            directories: vec![packages.clone()],
            ..Packages::default()
        },
        ..config(Path::new(LAUNCHER))
    };
    let less = [Layer::Namespaces, Layer::FileTree];
    let pools = [
        Pool::new(config()).unwrap(),
        Pool::without_layers(config(), &less).unwrap(),
    ];
    attack_in(
        &pools,
        "import innocuous, datetime\nprint(innocuous.x, datetime.datetime.now().year)\n",
        |trace| assert_eq!(trace.output(), "7 2020\n", "what is not an attack works"),
    );
    let prelude = format!(
        "import os, sys\nat = {:?}\nfile, new = at + '/innocuous.py', at + '/new'\n\
         def first(path):\n    sys.path.insert(0, path)\n    return __import__('beside')\n",
        packages.canonicalize().unwrap()
    );
    all_refused_in(
        &pools,
        &prelude,
        &[
            "open(file, 'a').write('x')",
            "open(file, 'w')",
            "open(file, 'r+')",
            "open(new, 'w')",
            "os.truncate(file, 0)",
            "os.unlink(file)",
            "os.rename(file, new)",
            "os.chmod(file, 0o600)",
            "os.utime(file, (1, 1))",
            "os.setxattr(file, 'user.x', b'1')",
            "os.link(file, new)",
            "os.symlink(file, new)",
            "os.mkdir(new)",
            "os.execv(at + '/tool', ['tool'])",
            "os.posix_spawn(at + '/tool', ['tool'], {})",
            "open(at + '/key').read()",
            "__import__('linked')",
            "os.listdir(at + '/home')",
            "open(at + '/home/.ssh/id_ed25519').read()",
            "open(at + '/up/beside.py').read()",
            "open(at + '/../beside.py').read()",
            "first(at + '/up')",
            "open(at + '/etc/passwd').read()",
            "os.listdir(at + '/etc')",
        ],
    );
    assert_eq!(canary.look(), before);
    let text = std::fs::read_to_string(packages.join("innocuous.py")).unwrap();
    assert_eq!(text, "x = 7\n");
    assert!(!packages.join("new").exists() && !packages.join("__pycache__").exists());
    // Without being asked for, they are not there.
    attack("import innocuous\n", |trace| {
        let missing = matches!(&trace.outcome, Outcome::Raised { exception, .. } if exception == "ModuleNotFoundError");
        assert!(missing, "{:?}", trace.outcome);
    });
}

#[test]
fn opening_a_socket() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let (tcp_port, udp_port) = (
        tcp.local_addr().unwrap().port(),
        udp.local_addr().unwrap().port(),
    );
    all_refused(
        "import socket as s",
        &[
            &format!("s.create_connection(('127.0.0.1', {tcp_port}), 1)"),
            &format!("s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp_port}))"),
            "s.socket(s.AF_INET6, s.SOCK_STREAM)",
            "s.socket(s.AF_UNIX, s.SOCK_STREAM)",
            "s.socket(s.AF_NETLINK, s.SOCK_RAW)",
            "s.socket(s.AF_PACKET, s.SOCK_RAW)",
            "s.create_server(('127.0.0.1', 0))",
            "s.getaddrinfo('example.org', 80)",
        ],
    );
    let none = std::io::ErrorKind::WouldBlock;
    assert_eq!(tcp.accept().unwrap_err().kind(), none);
    assert_eq!(udp.recv(&mut [0]).unwrap_err().kind(), none);
}
