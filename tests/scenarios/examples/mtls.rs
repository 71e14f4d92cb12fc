//! `envoy/mtls.yaml`: services by their certificates.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, SanType};
use tempfile::TempDir;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use weir_tests::{Client, Envoy, EnvoyFile, Req};

use super::{address, earned, policy_of};
use crate::support::tally;

const FILE: &str = "envoy/mtls.yaml";
const BATCH: &str = "spiffe://example.com/batch";

type Authority = CertifiedIssuer<'static, KeyPair>;

/// Who signs for servers, who for clients, and somebody whom nobody trusts; with the files that Envoy reads.
pub(super) struct Authorities {
    servers: Authority,
    clients: Authority,
    strangers: Authority,
    dir: TempDir,
}

fn authority() -> Authority {
    let mut params = CertificateParams::new([]).expect("parameters");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("a certificate")
}

impl Authorities {
    pub(super) fn new() -> Self {
        let dir = TempDir::with_prefix("weir-").expect("a directory");
        let all = Self { servers: authority(), clients: authority(), strangers: authority(), dir };
        let key = KeyPair::generate().expect("a key");
        let server = CertificateParams::new(["127.0.0.1".to_owned()]).expect("parameters");
        let server = server.signed_by(&key, &all.servers).expect("a certificate");
        for (name, text) in [
            ("server.pem", server.pem()),
            ("server-key.pem", key.serialize_pem()),
            ("clients-ca.pem", all.clients.pem()),
        ] {
            std::fs::write(all.file(name), text).expect("a file");
        }
        all
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(super) fn put_into(&self, file: EnvoyFile) -> EnvoyFile {
        ["server.pem", "server-key.pem", "clients-ca.pem"].into_iter().fold(file, |file, name| {
            file.replace(&format!("/etc/envoy/tls/{name}"), &self.file(name).display().to_string())
        })
    }

    /// A client that shows a certificate with these names, signed by this authority; or none.
    fn client(&self, envoy: &Envoy, number: u8, shown: Option<(&Authority, Vec<SanType>)>) -> Client {
        let mut trusted = RootCertStore::empty();
        trusted.add(self.servers.der().clone()).expect("an authority");
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()));
        let config = config.with_safe_default_protocol_versions().expect("versions").with_root_certificates(trusted);
        let config = match shown {
            None => config.with_no_client_auth(),
            Some((authority, names)) => {
                let key = KeyPair::generate().expect("a key");
                let mut params = CertificateParams::new([]).expect("parameters");
                params.distinguished_name.push(DnType::CommonName, BATCH);
                params.subject_alt_names = names;
                let certificate = params.signed_by(&key, authority).expect("a certificate");
                let key = PrivatePkcs8KeyDer::from(key.serialize_der());
                config.with_client_auth_cert(vec![certificate.der().clone()], key.into()).expect("a key")
            }
        };
        envoy.client().from_address(address(number)).tls(Arc::new(config))
    }
}

fn uri(name: &str) -> SanType {
    SanType::URI(name.try_into().expect("a name"))
}

fn dns(name: &str) -> SanType {
    SanType::DnsName(name.try_into().expect("a name"))
}

/// Forty requests that claim to come from the batch service.
async fn forty(client: &Client) -> u64 {
    let claim = format!("Hash=00;URI={BATCH}");
    let seen = tally(client, 40, &Req::get("/").header("x-forwarded-client-cert", claim)).await;
    seen.expect_no_faults();
    seen.count(200)
}

/// The burst, and what was earned meanwhile.
async fn expect_limited(what: &str, client: &Client) {
    let begun = Instant::now();
    let (admitted, most) = (forty(client).await, 20 + earned(begun.elapsed(), 100));
    assert!((20..=most).contains(&admitted), "{what}: {admitted} of {most}");
}

#[tokio::test]
async fn our_own_services_are_exempt_and_everybody_else_is_limited() {
    let all = Authorities::new();
    let envoy = all.put_into(Envoy::from_file(FILE)).start().await;
    for name in [BATCH, "spiffe://example.com/billing"] {
        let service = all.client(&envoy, 1, Some((&all.clients, vec![uri(name)])));
        tally(&service, 150, &Req::get("/")).await.expect(150, 0);
    }
    assert_eq!(envoy.stat("wasmcustom.weir_requests_total;rule=all;decision=exempt").await, 300);

    // A name is one client, wherever it comes from; and other names are others.
    let elsewhere = |number| all.client(&envoy, number, Some((&all.clients, vec![uri("spiffe://example.com/other")])));
    let begun = Instant::now();
    expect_limited("another service", &elsewhere(1)).await;
    let (more, most) = (forty(&elsewhere(2)).await, earned(begun.elapsed(), 100));
    assert!(more <= most, "{more} of {most}");
    for (number, what, names) in [
        (3, "a name that begins like it", vec![uri("spiffe://example.com/batch/2")]),
        (4, "a name in another domain", vec![uri("spiffe://example.com.evil.test/batch")]),
        (5, "a second name", vec![uri("spiffe://example.com/third"), uri(BATCH)]),
        (6, "no URI", vec![dns("batch.example.com")]),
        (7, "upper case", vec![uri("SPIFFE://EXAMPLE.COM/BATCH")]),
    ] {
        expect_limited(what, &all.client(&envoy, number, Some((&all.clients, names)))).await;
    }
    expect_limited("no certificate", &all.client(&envoy, 8, None)).await;
}

#[tokio::test]
async fn the_right_name_from_another_authority_is_turned_away() {
    let all = Authorities::new();
    let envoy = all.put_into(Envoy::from_file(FILE)).start().await;
    for authority in [&all.strangers, &all.servers] {
        let stranger = all.client(&envoy, 1, Some((authority, vec![uri(BATCH)])));
        for _ in 0..3 {
            let fault = stranger.try_send(&Req::get("/")).await.expect_err("no answer");
            assert!(!fault.contains("within"), "{fault}");
        }
    }
    assert_eq!(envoy.upstream.reached(), 0);
    let plain = envoy.client().try_send(&Req::get("/")).await;
    assert!(plain.is_err(), "{plain:?}");
}

#[tokio::test]
async fn callers_without_a_certificate_can_be_turned_away_as_the_file_says() {
    let all = Authorities::new();
    let file = Envoy::from_file(FILE).replace("require_client_certificate: false", "require_client_certificate: true");
    let envoy = all.put_into(file).start().await;
    let nobody = all.client(&envoy, 1, None).try_send(&Req::get("/")).await;
    assert!(nobody.is_err(), "{nobody:?}");
    let service = all.client(&envoy, 1, Some((&all.clients, vec![uri(BATCH)])));
    assert_eq!(service.send(&Req::get("/")).await.status, 200);
}

#[test]
fn the_file_exempts_by_certificate_alone() {
    let policy = policy_of(FILE);
    let exempt = policy["exempt"].as_array().expect("exemptions");
    assert!(exempt.iter().all(|entry| entry["property"]["path"][1] == "uri_san_peer_certificate"), "{exempt:?}");
}
