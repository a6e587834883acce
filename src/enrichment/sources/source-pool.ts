import { lookup as resolveName } from 'node:dns';
import { createRequire } from 'node:module';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector, Pool } from 'undici';
import { isLinkLocalAddress } from '../../identity/limits/public-addresses.ts';

const require = createRequire(import.meta.url);

/**
 * Loads the two parts of undici that are used, at the first call of a source. The whole package
 * takes 500 ms and 30 MB at the start of the program; these take 40 ms and 16 MB.
 */
function loadUndici() {
  return {
    buildConnector: require('undici/lib/core/connect.js') as (
      options: buildConnector.BuildOptions,
    ) => buildConnector.connector,
    Pool: require('undici/lib/dispatcher/pool.js') as typeof Pool,
  };
}

/** Returns false for an address that a source must not have. */
export type AddressTest = (address: string) => boolean;

/** Maximum number of connections to one source. Its limits apply before calls get here. */
const MAX_CONNECTIONS = 64;
/** Milliseconds for a connection. Callers give up at their own deadlines. */
const CONNECT_TIMEOUT = 10_000;

/**
 * Opens the connections to one source, made when they are needed and kept alive between calls.
 * Every connection is made to an address that was checked: link-local ones, where clouds serve the
 * credentials of machines, are refused after the name was resolved, so that no name can hide one.
 * @param isAllowed further limits; default: every address that is not link-local
 */
export function openSourcePool(origin: string, isAllowed: AddressTest = () => true): Pool {
  const isUsable: AddressTest = (address) => !isLinkLocalAddress(address) && isAllowed(address);
  const undici = loadUndici();
  const connect = undici.buildConnector({ timeout: CONNECT_TIMEOUT, lookup: checkedLookup(isUsable) });
  return new undici.Pool(origin, {
    connections: MAX_CONNECTIONS,
    // Deadlines of calls replace both; an action may take long.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
      // Addresses are connected to without a lookup.
      if (isIP(host) !== 0 && !isUsable(host)) callback(addressRefused(host), null);
      else connect(options, callback);
    },
  });
}

function checkedLookup(isUsable: AddressTest): LookupFunction {
  return (hostname, options, callback) =>
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const refused = addresses.find(({ address }) => !isUsable(address));
      if (refused !== undefined) return callback(addressRefused(refused.address), []);
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return first === undefined ? callback(addressRefused(hostname), []) : callback(null, first.address, first.family);
    });
}

function addressRefused(address: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`connections to ${address} are not allowed`), { code: 'ADDRESS_REFUSED' });
}
