//! What a Kubernetes service is to its pods: one address, and each new connection goes to a pod
//! that takes it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};

/// Listens on a free port and passes connections on to `backends`; gives its URL.
pub async fn balance(backends: Vec<u16>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (backends, turn) = (Arc::new(backends), Arc::new(AtomicUsize::new(0)));
    tokio::spawn(async move {
        while let Ok((incoming, _)) = listener.accept().await {
            tokio::spawn(pass_on(incoming, Arc::clone(&backends), Arc::clone(&turn)));
        }
    });
    url
}

async fn pass_on(mut incoming: TcpStream, backends: Arc<Vec<u16>>, turn: Arc<AtomicUsize>) {
    for _ in 0..backends.len() {
        let place = turn.fetch_add(1, Ordering::Relaxed) % backends.len();
        let address = SocketAddr::from(([127, 0, 0, 1], backends[place]));
        if let Ok(mut outgoing) = TcpStream::connect(address).await {
            let _ = incoming.set_nodelay(true);
            let _ = outgoing.set_nodelay(true);
            let _ = copy_bidirectional(&mut incoming, &mut outgoing).await;
            return;
        }
    }
}
