import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { InvalidInput, Unauthenticated } from '../../errors/errors.ts';
import type { ServiceGuard } from '../../http/guard.ts';
import { singleHeader } from '../../http/input/single-header.ts';
import type { Actor } from '../../identity/actor.ts';
import type { ProtocolWorker } from './protocol-worker.ts';

/** Key that services of the public system have without configuration. */
const KNOWN_KEY = 'ThisIsARandomAuthKey...ChangeMe!';

export interface ProtocolGuardDependencies {
  /** Key of the installation, if it has one of its own. */
  readonly key: string | null;
  /** True when only this machine reaches the listener: then the publicly known key is accepted. */
  readonly isLoopback: boolean;
}

/** Admits workers by their key and the headers of every call. All workers have the same rights. */
export function serviceProtocolGuard({ key, isLoopback }: ProtocolGuardDependencies): ServiceGuard {
  const accepted = key ?? (isLoopback ? KNOWN_KEY : undefined);
  const digest = accepted === undefined ? undefined : hash('sha256', accepted, 'buffer');
  return {
    async identify(request) {
      const sent = protocolHeader(request, 'X-APIKEY');
      const fits =
        digest !== undefined && sent !== undefined && timingSafeEqual(hash('sha256', sent, 'buffer'), digest);
      if (!fits) throw new Unauthenticated('service_key_invalid', 'Unauthorized access denied');
      return actorOf(readWorker(request).service);
    },
    authorise() {},
  };
}

const ACCESS = unrestricted('workers analyse files of all users');

function actorOf(service: string): Actor {
  return {
    username: `service:${service}`,
    name: service,
    email: undefined,
    roles: new Set(),
    privileges: new Set(),
    isAdmin: false,
    groups: [],
    classification: '',
    searchAccess: ACCESS,
    readAccess: ACCESS,
    method: 'api_key',
    hasFullScope: false,
    keyName: undefined,
    impersonator: undefined,
    quota: 0,
  };
}

/**
 * Reads the headers that every call has (contract/analysis.md section 8.1).
 * @throws InvalidInput `header_missing` that says which one
 */
export function readWorker(request: FastifyRequest): ProtocolWorker {
  const toolVersion = requiredHeader(request, 'Service-Tool-Version', { mayBeEmpty: true });
  return {
    container: requiredHeader(request, 'Container-ID'),
    service: requiredHeader(request, 'Service-Name'),
    version: requiredHeader(request, 'Service-Version').replaceAll('stable', ''),
    toolVersion: toolVersion === '' ? undefined : toolVersion,
  };
}

/** Returns a header; in its name, `_` counts as `-`. */
export function protocolHeader(request: FastifyRequest, name: string): string | undefined {
  const key = name.toLowerCase();
  return singleHeader(request, key) ?? singleHeader(request, key.replaceAll('-', '_'));
}

/** @throws InvalidInput `header_missing` */
export function requiredHeader(
  request: FastifyRequest,
  name: string,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): string {
  const value = protocolHeader(request, name);
  if (value !== undefined && (value !== '' || mayBeEmpty)) return value;
  throw new InvalidInput('header_missing', `The header ${name} is missing.`, { at: name });
}
