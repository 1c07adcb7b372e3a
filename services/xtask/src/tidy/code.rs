//! What Rust code may not hold.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Attribute, ExprMethodCall, ExprPath, ImplItemFn, ItemConst, ItemFn, ItemMod, Macro, Path,
    TraitItemFn,
};

use super::Fault;
use super::files::File;

/// Longest function, in lines from its signature to its closing brace.
const FUNCTION_LINES: usize = 70;

/// Macros that stand for work that is not done, or show what is nobody's business.
const MACROS: [&str; 3] = ["dbg", "todo", "unimplemented"];

/// The only place that may spawn: whatever is spawned elsewhere is not waited for.
const SPAWNER: &str = "services/common/src/shutdown.rs";

/// Names that say nothing.
const EMPTY_NAMES: [&str; 5] = ["helper", "helpers", "misc", "util", "utils"];

pub fn check(file: &File, faults: &mut Vec<Fault>) {
    let tree = match syn::parse_file(&file.text) {
        Ok(tree) => tree,
        Err(error) => {
            let what = format!("not Rust: {error}");
            return faults.push(Fault::new(&file.path, error.span().start().line, what));
        }
    };
    if is_crate_root(file) && !tree.attrs.iter().any(is_doc) {
        faults.push(Fault::new(&file.path, 1, "the crate has no documentation (//!)"));
    }
    let stem = file.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
    if EMPTY_NAMES.contains(&stem) {
        faults.push(Fault::new(&file.path, 0, "the name of the module says nothing"));
    }
    let mut reader = Reader { file, faults, in_test: file.is_test() };
    reader.visit_file(&tree);
}

fn is_crate_root(file: &File) -> bool {
    let root = file.path.ends_with("src/lib.rs") || file.path.ends_with("src/main.rs");
    root || file.path.ends_with("tests/it/main.rs")
}

fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// `#[test]`, `#[tokio::test]`, `#[cfg(test)]` and the like.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        let named_test = path.segments.last().is_some_and(|last| last.ident == "test");
        let for_test = || attribute.parse_args::<Path>().is_ok_and(|path| path.is_ident("test"));
        named_test || (path.is_ident("cfg") && for_test())
    })
}

struct Reader<'file> {
    file: &'file File,
    faults: &'file mut Vec<Fault>,
    in_test: bool,
}

impl Reader<'_> {
    fn fault(&mut self, spanned: &impl Spanned, what: impl Into<String>) {
        let line = spanned.span().start().line;
        self.faults.push(Fault::new(&self.file.path, line, what));
    }

    fn function(
        &mut self,
        signature: &syn::Signature,
        block: &syn::Block,
        attributes: &[Attribute],
    ) {
        let first = signature.span().start().line;
        let last = block.span().end().line;
        let lines = (last + 1).saturating_sub(first);
        let name = signature.ident.to_string();
        if lines > FUNCTION_LINES {
            let what = format!("fn {name} has {lines} lines; at most {FUNCTION_LINES}");
            self.fault(signature, what);
        }
        if is_for_tests(attributes) && name.starts_with("test_") {
            self.fault(signature, format!("fn {name}: a test's name is a sentence, without test_"));
        }
    }

    /// Visits something that may be for tests only.
    fn within(&mut self, attributes: &[Attribute], visit: impl FnOnce(&mut Self)) {
        let outside = self.in_test;
        self.in_test |= is_for_tests(attributes);
        visit(self);
        self.in_test = outside;
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        self.within(&module.attrs, |reader| visit::visit_item_mod(reader, module));
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.function(&function.sig, &function.block, &function.attrs);
        self.within(&function.attrs, |reader| visit::visit_item_fn(reader, function));
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.function(&function.sig, &function.block, &function.attrs);
        self.within(&function.attrs, |reader| visit::visit_impl_item_fn(reader, function));
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(block) = &function.default {
            self.function(&function.sig, block, &function.attrs);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_item_const(&mut self, constant: &'ast ItemConst) {
        // An unwrap that fails here does not compile.
        let outside = std::mem::replace(&mut self.in_test, true);
        visit::visit_item_const(self, constant);
        self.in_test = outside;
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if !self.in_test && call.method == "unwrap" && call.args.is_empty() {
            self.fault(&call.method, "unwrap outside tests");
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, expression: &'ast ExprPath) {
        let names: Vec<_> =
            expression.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let spawns = matches!(names[..], ["tokio", "spawn"] | ["tokio", "task", "spawn"])
            || matches!(names[..], ["task", "spawn"]);
        if spawns && !self.in_test && !self.file.path.ends_with(SPAWNER) {
            self.fault(expression, "spawned outside a Shutdown: nobody waits for the task");
        }
        if names.last() == Some(&"unbounded_channel") {
            self.fault(expression, "an unbounded channel");
        }
        visit::visit_expr_path(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        if let Some(last) = call.path.segments.last() {
            let name = last.ident.to_string();
            if MACROS.contains(&name.as_str()) {
                self.fault(call, format!("{name}!"));
            }
        }
        visit::visit_macro(self, call);
    }
}
