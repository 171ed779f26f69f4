//! `bastide join` with an encrypted connection to a proxy that has a self-made certificate.

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::common::{TerminalGame, bastide, folder};
use super::hosting::{FEW_TILES, Host};

/// A program that encrypts connections to a host, like a web server before it.
struct Proxy {
    /// The link to the table, with the name of the certificate.
    link: String,
    /// Ends the proxy when it is dropped.
    _runtime: Runtime,
}

impl Proxy {
    /// Starts a proxy whose certificate is for `localhost`. Writes the certificate to `file`.
    fn start(host: &Host, file: &Path) -> Proxy {
        let (address, code) = host.link.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        std::fs::write(file, made.cert.pem()).unwrap();
        let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
        let config = ServerConfig::builder().with_no_client_auth();
        let config = config.with_single_cert(vec![made.cert.der().clone()], key).unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).unwrap();
        let link = format!("https://localhost:{}/{code}", listener.local_addr().unwrap().port());
        let address = address.to_owned();
        runtime.spawn(async move {
            loop {
                let (outer, _) = listener.accept().await.unwrap();
                let (acceptor, address) = (acceptor.clone(), address.clone());
                tokio::spawn(async move {
                    // A guest who does not trust the certificate ends the connection here.
                    let Ok(mut outer) = acceptor.accept(outer).await else { return };
                    let mut inner = TcpStream::connect(address).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut outer, &mut inner).await;
                });
            }
        });
        Proxy { link, _runtime: runtime }
    }
}

/// Returns the command `bastide join`, which trusts the certificates in `trusted`.
fn join(link: &str, trusted: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bastide"));
    command.args(["join", link, "--save", "my.game"]).env("SSL_CERT_FILE", trusted);
    command
}

#[test]
fn a_guest_joins_an_encrypted_host() {
    let dir = folder();
    let host = Host::start(dir.path(), &[&["--players", "human,random"][..], &FEW_TILES].concat());
    let (trusted, other) = (dir.path().join("host.pem"), dir.path().join("other.pem"));
    let proxy = Proxy::start(&host, &trusted);
    Proxy::start(&host, &other);

    let refusal = |link: &str, trusted: &Path| {
        let ended = join(link, trusted).current_dir(dir.path()).output().unwrap();
        assert_eq!(ended.status.code(), Some(1));
        String::from_utf8(ended.stderr).unwrap()
    };
    let unknown = refusal(&proxy.link, &other);
    assert!(unknown.contains("no issuer that this computer trusts has signed it"), "{unknown}");
    assert!(unknown.contains("SSL_CERT_FILE=FILE"), "{unknown}");
    let foreign = refusal(&proxy.link.replace("localhost", "127.0.0.1"), &trusted);
    assert!(foreign.contains("it belongs to another address"), "{foreign}");
    let plain = refusal(&host.link.replace("http://", "https://"), &trusted);
    assert!(plain.contains("does not encrypt: ask for a link that begins with http://"), "{plain}");

    let mut guest = TerminalGame::of(dir.path(), join(&proxy.link, &trusted));
    guest.wait_for("red> ");
    guest.type_line("bot random");
    let shown = guest.wait_for("--fair");
    assert!(shown.contains("It has the published hash."), "{shown}");
    bastide(dir.path(), &["replay", "my.game"]).expect(0);
}
