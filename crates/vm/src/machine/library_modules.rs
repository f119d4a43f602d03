//! Modules of the standard library that are walked from their source, and native ones, which are
//! not.

use std::sync::Arc;

use super::project::ModuleSource;
use super::tables::modules;
use super::{After, Flow, Machine, Run};
use crate::value::Value;

/// Modules of the standard library that are walked from their source if there is one: the effects
/// of their import are known.
const FROM_SOURCE: &str = "_compat_pickle ast bz2 lzma _compression _weakrefset _markupbase cmd colorsys copyreg dis email filecmp fileinput fnmatch genericpath \
    getopt gettext html.entities html.parser imghdr ipaddress linecache mimetypes netrc nturl2path \
    ntpath gzip pickle tarfile zipfile http http.cookies optparse wave opcode pipes quopri reprlib runpy sched secrets shelve sndhdr stat symtable tabnanny this token tokenize \
    tomllib urllib urllib.error urllib.response urllib.robotparser uu webbrowser xdrlib xml xml.dom xml.dom.minidom \
    xml.etree xml.etree.ElementTree xml.parsers xml.parsers.expat xml.sax xml.sax.saxutils chunk \
    encodings importlib.metadata importlib.readers importlib.resources pkgutil plistlib re._casefix re._constants re._parser \
    signal socket selectors ssl smtplib ftplib imaplib poplib telnetlib http.client unittest.mock unittest.util \
    logging.config logging.handlers socketserver aifc cgi cgitb compileall mailbox mailcap modulefinder nntplib \
    pickletools pstats py_compile pyclbr rlcompleter smtpd sre_compile sre_constants sre_parse sunau trace wsgiref xmlrpc http.cookiejar \
    http.server zipapp";

impl Machine {
    /// Whether a module of the standard library, or one that contains it, is walked from its
    /// source, and all of them exist.
    pub(super) fn is_from_source(&self, target: &str) -> Run<bool> {
        let ends = target.match_indices('.').map(|(at, _)| at);
        let (mut walks, mut named) = (false, false);
        for end in ends.chain([target.len()]) {
            let module = &target[..end];
            if self.is_loaded(module) || self.is_own_module(module) {
                continue;
            }
            let found = self.find_library(module)?.is_some();
            // If only the names of a package are known, no module of it is walked.
            if !found && !modules().contains_key(module) || found && named {
                return Ok(false);
            }
            walks |= found;
            named |= !found;
        }
        Ok(walks)
    }

    /// Returns the next module among the names of a `from` import from a package that the machine
    /// has: one that is walked from its source, and has not been yet.
    pub(super) fn next_part(
        &self,
        target: &str,
        names: Option<&[Arc<str>]>,
    ) -> Run<Option<(Arc<str>, ModuleSource)>> {
        if self.is_loaded(target) || !self.is_own_module(target) && !modules().contains_key(target)
        {
            return Ok(None);
        }
        for name in names.unwrap_or_default() {
            let part: Arc<str> = format!("{target}.{name}").into();
            if !self.is_loaded(&part)
                && let Some(found) = self.find_library(&part)?
            {
                return Ok(Some((part, found)));
            }
        }
        Ok(None)
    }

    /// Returns a module of the standard library that is walked from its source.
    pub(super) fn find_library(&self, module: &str) -> Run<Option<ModuleSource>> {
        let is_one = |wanted: &str| FROM_SOURCE.split(' ').any(|name| name == wanted);
        // The modules of such a package are walked, too.
        let is_part = || {
            let mut ends = module.match_indices('.').map(|(at, _)| at);
            !modules().contains_key(module) && ends.any(|end| is_one(&module[..end]))
        };
        let walks =
            !self.settings.unknown && self.settings.fold.methods() && (is_one(module) || is_part());
        match (&self.settings.finder, walks) {
            (Some(finder), true) => finder.library(module).map_err(Flow::Unsupported),
            _ => Ok(None),
        }
    }

    /// Whether the innermost frame is one of a module of the standard library that is walked from
    /// its source.
    pub(super) fn is_in_library_source(&self) -> Run<bool> {
        let globals = self.frames.last().map(|frame| frame.globals);
        let globals = globals.filter(|globals| self.is_hidden(*globals));
        match globals.and_then(|globals| self.get_name(globals, &"__name__".into())) {
            Some(Value::Str(name)) => Ok(self.find_library(&name)?.is_some()),
            _ => Ok(false),
        }
    }

    /// Whether a module of the same package handles the failure of the import that is done for it.
    pub(super) fn package_catches(&self, module: &str) -> bool {
        let top = |module: &str| module.split('.').next().map(str::to_owned);
        for frame in self.frames.iter().rev() {
            let name = match self.get_name(frame.globals, &"__name__".into()) {
                Some(Value::Str(name)) => name,
                _ => return false,
            };
            if top(&name) != top(module) {
                return false;
            }
            if Self::catches(frame) {
                return true;
            }
            if !matches!(frame.after, After::Import(_)) {
                return false;
            }
        }
        false
    }

    /// Remembers an exception that reports a missing module, if that module is native code.
    pub(super) fn mark_native(&mut self, raised: &Flow, module: &str) {
        if let Flow::Raise(Value::Object(id)) = raised
            && let Ok(Some(found)) = self.found(module)
            && found.is_native()
        {
            self.library.natives.insert(*id, module.into());
        }
    }

    /// Ends planning if a module raises because it needs native code, which a run would have.
    pub(super) fn refuse_native(&self, error: &Value) -> Run<()> {
        let native = error.id().and_then(|id| self.library.natives.get(&id));
        match native.filter(|module| !self.package_catches(module)) {
            Some(module) => Err(Flow::Unsupported(format!(
                "module {module} is native code, which planning does not execute"
            ))),
            None => Ok(()),
        }
    }
}
