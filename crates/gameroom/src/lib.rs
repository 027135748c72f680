//! The arimaa.com gameroom.
//!
//! [`protocol`] encodes requests and decodes answers without I/O, [`bot`] plays, [`runner`] gives it sockets and engines, [`fake`]
//! imitates the server. Nothing here has ever been tried
//! on the site itself.

pub mod archive_files;
pub mod bot;
pub mod client;
pub mod config;
pub mod fake;
pub mod protocol;
pub mod record;
pub mod runner;
