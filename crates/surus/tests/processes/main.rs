//! Processes and signals: nothing of an external engine outlives the program, and every command ends cleanly.

mod guard;
mod signals;
mod tools;
