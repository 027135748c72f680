//! The socket between a program and the guard of its engine. It carries one thing, the engine's standard input; that it
//! closes is the message.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

use rustix::cmsg_space;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

/// Ancillary data needs at least one byte to travel with.
const CARRIER: [u8; 1] = [0];

/// Sends a file descriptor. One of them always fits into the socket's buffer, so that this does not block.
pub(crate) fn send(socket: impl AsFd, descriptor: impl AsFd) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let descriptors = [descriptor.as_fd()];
    if !control.push(SendAncillaryMessage::ScmRights(&descriptors)) {
        return Err(io::Error::other("no room for a file descriptor"));
    }
    sendmsg(socket, &[IoSlice::new(&CARRIER)], &mut control, SendFlags::empty())?;
    Ok(())
}

/// Receives a file descriptor; an error if the other end has closed the socket before it sent one.
pub(crate) fn receive(socket: impl AsFd) -> io::Result<OwnedFd> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut carrier = CARRIER;
    #[cfg(target_os = "linux")]
    let flags = RecvFlags::CMSG_CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    let flags = RecvFlags::empty();
    recvmsg(socket, &mut [IoSliceMut::new(&mut carrier)], &mut control, flags)?;
    let received = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    received.ok_or_else(|| io::Error::new(io::ErrorKind::UnexpectedEof, "the program has ended"))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn a_descriptor_arrives_and_a_closed_socket_is_an_error() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (reader, mut writer) = io::pipe().unwrap();
        send(&ours, reader).unwrap();
        let received = receive(&theirs).unwrap();
        writer.write_all(b"text").unwrap();
        drop(writer);
        let mut text = String::new();
        std::fs::File::from(received).read_to_string(&mut text).unwrap();
        assert_eq!(text, "text");
        drop(ours);
        assert_eq!(receive(&theirs).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
