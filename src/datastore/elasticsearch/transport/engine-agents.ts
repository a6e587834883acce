import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import {
  type ConnectionOptions,
  connect,
  type DetailedPeerCertificate,
  rootCertificates,
  type TLSSocket,
} from 'node:tls';
import { InvalidInput } from '../../../errors/errors.ts';
import { addressOf, type EngineHost } from './engine-host.ts';

const KEEP_ALIVE = {
  keepAlive: true,
  keepAliveMsecs: 1000,
  maxSockets: 256,
  maxFreeSockets: 256,
  scheduling: 'lifo',
} as const;

/** Returns an agent that trusts the default authorities and `certificates` (PEM), or a fingerprint. */
export function agentFor(host: EngineHost, certificates: readonly string[]): HttpAgent {
  if (addressOf(host).protocol === 'http:') return new HttpAgent(KEEP_ALIVE);
  if (host.fingerprint) return new FingerprintAgent(normalFingerprint(host));
  return new HttpsAgent({
    ...KEEP_ALIVE,
    ...(certificates.length > 0 ? { ca: [...rootCertificates, ...certificates] } : {}),
  });
}

function normalFingerprint(host: EngineHost): string {
  const fingerprint = (host.fingerprint ?? '').replaceAll(':', '').toUpperCase();
  if (/^[0-9A-F]{64}$/.test(fingerprint)) return fingerprint;
  const message = `datastore.hosts: the fingerprint of ${host.name} is no SHA-256 fingerprint: 64 hexadecimal digits are allowed.`;
  throw new InvalidInput('invalid_setting', message, { at: 'datastore.hosts' });
}

/** Trusts chains with the certificate of this fingerprint, with any issuer and host name. */
class FingerprintAgent extends HttpsAgent {
  readonly #fingerprint: string;

  constructor(fingerprint: string) {
    super(KEEP_ALIVE);
    this.#fingerprint = fingerprint;
  }

  /** Hands over only checked connections, so that nothing, no credential either, is sent before. */
  override createConnection(
    options: ConnectionOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const socket = connect({ ...options, rejectUnauthorized: false });
    const done = (error: Error | null): void => {
      socket.removeListener('secureConnect', check);
      socket.removeListener('error', done);
      callback?.(error, socket);
    };
    const check = (): void => {
      if (chainOf(socket).includes(this.#fingerprint)) {
        done(null);
        return;
      }
      done(new Error('the certificate of the server has another fingerprint than the one in the settings'));
      socket.destroy();
    };
    socket.once('secureConnect', check);
    socket.once('error', done);
    return undefined;
  }
}

function chainOf(socket: TLSSocket): string[] {
  const fingerprints: string[] = [];
  let certificate: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  // The last one names itself as its issuer.
  while (certificate?.fingerprint256 !== undefined && fingerprints.length < 20) {
    const fingerprint = certificate.fingerprint256.replaceAll(':', '').toUpperCase();
    if (fingerprints.includes(fingerprint)) break;
    fingerprints.push(fingerprint);
    certificate = certificate.issuerCertificate;
  }
  return fingerprints;
}
