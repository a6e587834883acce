import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SourceFailure } from '../../../sources/source-failure.ts';
import type { Adapter, Findings, Vendor, VendorSelector } from '../../adapter.ts';
import { contextNote, type Finding, named, present } from '../../finding.ts';

interface Records {
  readonly kind: string;
  readonly values: readonly string[];
}

/** Kinds of records of a domain, in the order of the answer. */
const QUERIES: Readonly<Record<string, (resolver: Resolver, name: string) => Promise<readonly string[]>>> = {
  A: (resolver, name) => resolver.resolve4(name),
  AAAA: (resolver, name) => resolver.resolve6(name),
  MX: async (resolver, name) =>
    (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`),
  NS: (resolver, name) => resolver.resolveNs(name),
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
};
/** Answers that mean that there is no such record. */
const NOTHING: ReadonlySet<string | undefined> = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Resolves domains and addresses. Its reach is always `active`: also a recursive resolver asks the
 * name servers of the domain, which are the target's, for a name that it does not know.
 */
export const dns: Adapter = {
  name: 'dns',
  title: 'DNS',
  reach: 'active',
  documentation: 'https://nodejs.org/api/dns.html#class-dnspromisesresolver',
  types: ['domain', 'ipv4', 'ipv6'],
  url: 'dns:',
  rateLimits: [],
  async lookup(selectors, vendor) {
    const found = new Map<VendorSelector, readonly Finding[]>();
    for (const selector of selectors) {
      const records = await recordsOf(selector, vendor);
      const values = records.flatMap((one) => one.values);
      if (values.length === 0) continue;
      const notes = present(
        records.map(({ kind, values: all }) =>
          contextNote(kind, named(all), kind, { quantity: Math.max(all.length, 1) }),
        ),
      );
      found.set(selector, [
        { count: values.length, notes, raw: Object.fromEntries(records.map((one) => [one.kind, one.values])) },
      ]);
    }
    return found satisfies Findings;
  },
};

async function recordsOf({ value }: VendorSelector, { call, servers }: Vendor): Promise<readonly Records[]> {
  const { signal, deadline } = call;
  const resolver = new Resolver({ timeout: Math.max(1, Math.ceil((deadline - Date.now()) / 2)), tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    if (isIP(value) !== 0) return [{ kind: 'PTR', values: await answered(resolver.reverse(value)) }];
    return await Promise.all(
      Object.entries(QUERIES).map(async ([kind, query], index) => {
        if (index > 0) await call.anotherRequest?.();
        return { kind, values: await answered(query(resolver, value)) };
      }),
    );
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function answered(query: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await query;
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (NOTHING.has(code)) return [];
    throw failureOf(code, error);
  }
}

function failureOf(code: string | undefined, cause: unknown): SourceFailure {
  if (code === 'ETIMEOUT' || code === 'ECANCELLED')
    return new SourceFailure('timed_out', 'no name server answered', { cause });
  if (code === 'ECONNREFUSED') return new SourceFailure('unreachable', 'no name server can be reached', { cause });
  return new SourceFailure('status', `the name server answered ${code}`, {
    status: 422,
    pluginMessage: 'The name servers have no answer for this value.',
    cause,
  });
}
