#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

// The time of the certificate that the other side of a TLS connection has shown: 1 if it is over, -1 if it has not
// begun, 0 if it is now or there is no certificate.
static inline int formd_certificate_time(void *connection) {
  X509 *certificate = connection == NULL ? NULL : SSL_get1_peer_certificate((SSL *)connection);
  int result = 0;
  if (certificate == NULL) return 0;
  if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0) result = 1;
  else if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0) result = -1;
  X509_free(certificate);
  return result;
}
