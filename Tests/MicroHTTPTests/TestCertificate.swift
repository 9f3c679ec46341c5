import MicroHTTP

extension DaemonConfiguration.TLS {
  /// A certificate for localhost that signs itself, made for these tests with `openssl req -x509`.
  static let test = DaemonConfiguration.TLS(
    certificate: """
      -----BEGIN CERTIFICATE-----
      MIIBfzCCASWgAwIBAgIUfzoIXhFGfw6IXQKomYajoQnt6kgwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE2NDAxMloYDzIxMjYxMDI4
      MTY0MDEyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAAQqJQAvL2Z8IpUnvZAWh856W0RBam3ITS/HgShdoCX5JCg9MlhX2Owz
      mnE4fGM6ZSMyjauNIFQHBXj9OBTYYePfo1MwUTAdBgNVHQ4EFgQUlRbnqmKMqkWf
      cjJLK3JqBnHcv4owHwYDVR0jBBgwFoAUlRbnqmKMqkWfcjJLK3JqBnHcv4owDwYD
      VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBJDAYWmrP4vnmDckkhge5v
      N3+X59kW+d8dHsQWh8M0/AIhAOI9rtWvO8ySEOqz4E1sKisaARtLKaQzgsZhR4IR
      kHS2
      -----END CERTIFICATE-----
      """,
    privateKey: """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8TFloo3hbVi3NYGy
      rjKafN553Q7YVNNNnp7F0KwsgzmhRANCAAQqJQAvL2Z8IpUnvZAWh856W0RBam3I
      TS/HgShdoCX5JCg9MlhX2OwzmnE4fGM6ZSMyjauNIFQHBXj9OBTYYePf
      -----END PRIVATE KEY-----
      """)
}
