//! The socket between this process and the guard of its engine. It carries the file descriptor of the engine's standard
//! input; closing it makes the guard kill the engine.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

use rustix::cmsg_space;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

/// Ancillary data must accompany at least one byte.
const CARRIER: [u8; 1] = [0];

/// Sends a file descriptor. Does not block, because one always fits into the socket's buffer.
pub(crate) fn send(socket: impl AsFd, descriptor: impl AsFd) -> io::Result<()> {
    let mut buffer = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut buffer);
    let descriptors = [descriptor.as_fd()];
    if !control.push(SendAncillaryMessage::ScmRights(&descriptors)) {
        return Err(io::Error::other("no room for a file descriptor"));
    }
    sendmsg(socket, &[IoSlice::new(&CARRIER)], &mut control, SendFlags::empty())?;
    Ok(())
}

/// Receives a file descriptor. Fails if the other end closes the socket without sending one.
pub(crate) fn receive(socket: impl AsFd) -> io::Result<OwnedFd> {
    let mut buffer = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut buffer);
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
    received.ok_or_else(|| io::Error::new(io::ErrorKind::UnexpectedEof, "the parent process has ended"))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn receives_descriptor_and_detects_closed_socket() {
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
