//! Processes and signals: no process of an external engine outlives the program, and every command exits cleanly.

mod guard;
mod signals;
mod tools;
