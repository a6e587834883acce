import { parse } from 'tldts';
import { asciiDomain } from '../../../indicators/domain-name.ts';
import { excerpt } from '../local-answers.ts';
import { type Fact, fact } from './fact.ts';
import { generatedNameFacts } from './generated-names.ts';
import { internationalNameFacts } from './international-names.ts';

/** Names that are not for ordinary hosts, with their use and the number of the RFC. */
const SPECIAL_USE: ReadonlyMap<string, readonly [use: string, rfc?: number]> = new Map([
  ['example', ['documentation', 6761]],
  ['example.com', ['documentation', 6761]],
  ['example.net', ['documentation', 6761]],
  ['example.org', ['documentation', 6761]],
  ['test', ['tests', 6761]],
  ['invalid', ['names that are never valid', 6761]],
  ['localhost', ['the host itself', 6761]],
  ['local', ['multicast DNS in the local network', 6762]],
  ['home.arpa', ['home networks', 8375]],
  ['internal', ['private networks (ICANN)']],
  ['onion', ['hidden services of Tor', 7686]],
  ['alt', ['name systems other than DNS', 9476]],
  ['in-addr.arpa', ['reverse lookups of IPv4 addresses', 1035]],
  ['ip6.arpa', ['reverse lookups of IPv6 addresses', 3596]],
]);

/** Options that skip work which bare host names do not need. */
const PLAIN = { extractHostname: false, validateHostname: false, detectIp: false } as const;

/**
 * Returns a domain name in lower case and ASCII, also one of one label; undefined for what is not a
 * name.
 */
export function describedDomain(value: string): string | undefined {
  const ascii = asciiDomain(value);
  const isName = ascii !== undefined && /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/.test(ascii);
  return isName && !/(?:^|\.)[0-9]+$/.test(ascii) ? ascii : undefined;
}

/** Returns the part of a name that can be registered, below the public suffixes of ICANN. */
export function registrableDomain(ascii: string): string | undefined {
  return parse(ascii, PLAIN).domain ?? undefined;
}

/** Returns whether a string is a name below a public suffix of ICANN, as hosts on the internet are. */
export function isPublicName(text: string): boolean {
  const name = describedDomain(text);
  if (name === undefined) return false;
  const { domain, isIcann } = parse(name, PLAIN);
  return domain !== null && isIcann === true;
}

/** Returns what a domain name says of itself. */
export function domainFacts(value: string): readonly Fact[] {
  const name = describedDomain(value);
  if (name === undefined) return [];
  const special = specialUseOf(name);
  if (special !== undefined) return [specialUseFact(name, ...special), ...internationalNameFacts(name)];
  const { domain, domainWithoutSuffix: label, publicSuffix: suffix, isIcann } = parse(name, PLAIN);
  const facts: Fact[] = [];
  if (isIcann !== true) {
    facts.push(fact('unknown-suffix', `The name "${excerpt(name)}" is not below a public suffix of the internet.`));
  } else if (domain === null) {
    facts.push(fact('public-suffix', `${name} is a public suffix: names below it belong to different owners.`));
  } else {
    facts.push(fact(domain, `The registrable domain is ${domain}, below the public suffix ${suffix}.`));
  }
  facts.push(...sharedSuffixFacts(name), ...internationalNameFacts(name));
  if (isIcann === true && label !== null) facts.push(...generatedNameFacts(label));
  return facts;
}

function specialUseOf(name: string): readonly [special: string, use: string, rfc?: number] | undefined {
  const labels = name.split('.');
  for (const length of [1, 2]) {
    const end = labels.slice(-length).join('.');
    const use = SPECIAL_USE.get(end);
    if (use !== undefined) return [end, ...use];
  }
  return undefined;
}

function specialUseFact(name: string, special: string, use: string, rfc?: number): Fact {
  const source = rfc === undefined ? '' : ` (RFC ${rfc})`;
  const subject = name === special ? `The name ${name}` : `The name "${excerpt(name)}" is below ${special}, which`;
  return fact('special-use', `${subject} is reserved for ${use}${source}.`, { ubiquitous: special !== 'onion' });
}

/** Returns whether the owner of a domain lets others have names below it, as hosting services do. */
function sharedSuffixFacts(name: string): readonly Fact[] {
  const { domain, isPrivate, publicSuffix } = parse(name, { ...PLAIN, allowPrivateDomains: true });
  if (isPrivate !== true) return [];
  const summary =
    domain === null
      ? `${name} is a hosting service: names below it belong to different owners.`
      : `${domain} is a name of its own below the hosting service ${publicSuffix}.`;
  return [fact('shared-suffix', summary)];
}
