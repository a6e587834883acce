import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SelfSignedCertificate {
  readonly keyFile: string;
  readonly certificateFile: string;
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
}

/** Makes a certificate for servers on loopback, of two days, in the folder. Needs openssl. */
export function selfSignedCertificate(folder: string): SelfSignedCertificate {
  const [keyFile, certificateFile] = [join(folder, 'server.key'), join(folder, 'server.crt')];
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', keyFile, '-out', certificateFile];
  execFileSync('openssl', [...made.split(' '), ...names], { stdio: 'ignore' });
  const [key, certificate] = [readFileSync(keyFile, 'utf8'), readFileSync(certificateFile, 'utf8')];
  return { keyFile, certificateFile, key, certificate };
}
