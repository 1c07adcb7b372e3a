//! A proxy in front of an operator's wallet that gives each answer twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The proxy; it stops with the runtime.
pub struct Echo {
    pub url: String,
    answers: Arc<AtomicUsize>,
}

impl Echo {
    /// Stands in front of the wallet at `url`.
    pub async fn start(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = listener.local_addr().unwrap().to_string();
        let wallet = url.split('/').nth(2).unwrap().to_owned();
        let (url, answers) = (url.replace(&wallet, &own), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&answers);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (wallet, counted) = (wallet.clone(), Arc::clone(&counted));
                tokio::spawn(async move {
                    if let Ok(wallet) = TcpStream::connect(wallet).await {
                        repeat(client, wallet, &counted).await;
                    }
                });
            }
        });
        Self { url, answers }
    }

    /// Answers that were given twice.
    pub fn answers(&self) -> usize {
        self.answers.load(Ordering::Relaxed)
    }
}

async fn repeat(client: TcpStream, wallet: TcpStream, answers: &AtomicUsize) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_wallet, mut to_wallet) = wallet.into_split();
    let questions = tokio::io::copy(&mut from_client, &mut to_wallet);
    let repeated = async {
        // The wallet's answers are small: one is read at once.
        let mut buffer = vec![0; 16 * 1024];
        while let Ok(length @ 1..) = from_wallet.read(&mut buffer).await {
            answers.fetch_add(1, Ordering::Relaxed);
            for _ in 0..2 {
                if to_client.write_all(&buffer[..length]).await.is_err() {
                    return;
                }
            }
        }
    };
    tokio::select! {
        _ = questions => {}
        () = repeated => {}
    }
}
