import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anEntry, compileEntries } from '../../../testing/enrichment/compiled-list.ts';
import type { ListEntry } from '../list-entry.ts';
import { keysOfSelector } from './selector-keys.ts';

describe('matching, compared with a plain search', () => {
  const octet = fc.constantFrom(0, 1, 2, 127, 128, 255);
  const address = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
  const label = fc.constantFrom('a', 'b', 'c1', 'x-y', '__proto__', 'ü');
  const name = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
  const entry = fc.oneof(
    address.map((value) => anEntry({ value })),
    fc
      .tuple(address, fc.integer({ min: 0, max: 32 }))
      .map(([value, bits]) => anEntry({ value: `${value}/${bits}`, match: 'cidr' })),
    fc
      .tuple(name, fc.constantFrom('exact', 'domain', 'hostname'))
      .map(([value, match]) => anEntry({ value, match, type: 'domain' })),
    name.map((value) => anEntry({ value: `https://${value}/p`, type: 'url' })),
    name.map((value) => anEntry({ value: `u@${value}`, type: 'email_address' })),
  );
  const selector = fc.oneof(
    address.map((value) => ['ipv4', value] as const),
    name.map((value) => ['domain', value] as const),
    fc.oneof(name, address).map((host) => ['url', `https://${host}/p`] as const),
    name.map((value) => ['email_address', `u@${value}`] as const),
  );

  it('finds exactly the entries that match', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 30 }),
        fc.array(selector, { minLength: 1, maxLength: 20 }),
        (entries, selectors) => {
          const ends: (() => void)[] = [];
          const numbered = entries.map((one, number) => ({ ...one, details: { summary: String(number) } }));
          const compiled = compileEntries({ after: (end) => void ends.push(end) }, numbered);
          try {
            for (const [type, value] of selectors) {
              const found = compiled.find(keysOfSelector(type, value)).map(({ details }) => Number(details.summary));
              const expected = entries.flatMap((one, number) => (plainlyMatches(one, type, value) ? [number] : []));
              assert.deepEqual(
                found.sort((a, b) => a - b),
                expected,
                `${type} ${value}`,
              );
            }
          } finally {
            for (const end of ends) end();
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Returns whether an entry matches, without keys and tables. */
function plainlyMatches({ match, type, value: listed }: ListEntry, type2: string, value: string): boolean {
  const host = type2 === 'url' ? value.split('/')[2] : type2 === 'email_address' ? value.slice(2) : value;
  const isAddress = /^[0-9.]+$/.test(host ?? '');
  if (type === 'url' || type === 'email_address') return type === type2 && listed === value;
  if (match === 'cidr') {
    const [network = '', bits = '32'] = listed.split('/');
    return isAddress && bitsOf(network).slice(0, Number(bits)) === bitsOf(host ?? '').slice(0, Number(bits));
  }
  const isListedAddress = /^[0-9.]+$/.test(listed);
  if (isListedAddress || isAddress) return isListedAddress && isAddress && listed === host;
  if (type2 === 'email_address' && match !== 'domain') return false;
  return host === listed || (match !== 'exact' && (host?.endsWith(`.${listed}`) ?? false));
}

function bitsOf(address: string): string {
  return address
    .split('.')
    .map((octet) => Number(octet).toString(2).padStart(8, '0'))
    .join('');
}
