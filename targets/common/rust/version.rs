//! The version of a library, as the hello declares it.

/// Gives the version of a package as a Cargo.lock pins it; cargo tells a program nothing else about its dependencies.
pub fn version_of<'a>(package: &str, lock: &'a str) -> &'a str {
    let head = format!("name = \"{package}\"\nversion = \"");
    lock.split(&head).nth(1).and_then(|rest| rest.split('"').next()).expect("the package stands in the lock")
}
