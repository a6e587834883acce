import type { IncomingHttpHeaders } from 'node:http';
import type { Actor, ServiceRole } from '../../../identity/actor.ts';
import type { PresentedCredentials } from '../../../identity/authenticator.ts';

/** The parts of a handshake by which its caller is known. */
export interface SocketHandshake {
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
}

export interface SocketCallersDependencies {
  readonly identity: { authenticate(presented: PresentedCredentials): Promise<Actor> };
  /** Decides whether an address is a proxy whose X-Forwarded-For counts. */
  readonly isTrustedProxy: ((address: string) => boolean) | undefined;
}

/** Identifies listeners by the cookie of their session, the only credential that they may have. */
export class SocketCallers {
  readonly #dependencies: SocketCallersDependencies;

  constructor(dependencies: SocketCallersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns undefined for a caller without a session that is good now. */
  async identify(handshake: SocketHandshake): Promise<Actor | undefined> {
    const { cookie } = handshake.headers;
    if (cookie === undefined) return undefined;
    const only = (name: string) => (name === 'cookie' ? cookie : undefined);
    try {
      return await this.#dependencies.identity.authenticate({
        address: this.#addressOf(handshake),
        userAgent: handshake.headers['user-agent'],
        requestId: 'socket',
        call: 'GET /socket.io/',
        header: only,
        singleHeader: only,
        argument: () => undefined,
        isEncrypted: () => handshake.headers['x-forwarded-proto'] === 'https',
        checkXsrf: false,
        allowInactive: false,
      });
    } catch {
      return undefined;
    }
  }

  /** The last address before the trusted proxies. */
  #addressOf({ headers, address }: SocketHandshake): string {
    const { isTrustedProxy } = this.#dependencies;
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    let caller = address;
    while (isTrustedProxy?.(caller)) {
      const before = forwarded.pop()?.trim();
      if (!before) break;
      caller = before;
    }
    return caller;
  }
}

/** Returns whether the caller has the role; undefined asks for none. */
export function mayListen(actor: Actor, role: ServiceRole | undefined): boolean {
  return role === undefined || actor.roles.has(role);
}
