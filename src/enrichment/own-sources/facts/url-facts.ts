import { isIP } from 'node:net';
import { excerpt } from '../local-answers.ts';
import { addressFacts } from './address-facts.ts';
import { domainFacts, isPublicName } from './domain-facts.ts';
import { type Fact, fact } from './fact.ts';
import { serviceOf } from './port-facts.ts';
import { parameterFacts } from './url-parameters.ts';

/** Schemes whose rest is contents or code, not an address. */
const NOT_ADDRESSES: Readonly<Record<string, string>> = {
  data: 'contents',
  javascript: 'code of a page',
  vbscript: 'code of a page',
  blob: 'an object in the memory of a browser',
  about: 'a page of the browser',
  mailto: 'an e-mail address',
  tel: 'a telephone number',
};
const AND = new Intl.ListFormat('en');
/** Ports beside the default ones that web servers often have. */
const USUAL_PORTS: ReadonlySet<string> = new Set(['80', '443', '8080', '8443']);

/** Returns the parts of a URL and what is conspicuous in them. A URL may lack its scheme. */
export function urlFacts(value: string): readonly Fact[] {
  // URL parsers ignore these characters, so `java\tscript:` is a scheme, too.
  const text = value.trim().replace(/[\t\n\r]/g, '');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  const contents = scheme !== undefined && Object.hasOwn(NOT_ADDRESSES, scheme) ? NOT_ADDRESSES[scheme] : undefined;
  if (contents !== undefined) {
    return [fact('not-a-url', `The scheme "${scheme}" is followed by ${contents}, not by the address of a host.`)];
  }
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text.replace(/^\/\//, '')}`;
  const url = URL.parse(written);
  if (url === null || url.hostname === '') return [fact('not-a-url', 'The value is not a URL with a host.')];
  return [
    partsFact(url, written !== text),
    ...credentialFacts(url),
    ...hostFacts(url, writtenHost(written)),
    ...portFact(url),
    ...parameterFacts(url),
  ];
}

function partsFact({ host, hostname, protocol, port, pathname, searchParams }: URL, isSchemeMissing: boolean): Fact {
  const parts = [
    isSchemeMissing ? 'no scheme' : `the scheme ${protocol.slice(0, -1)}`,
    ...(port === '' ? [] : [`the port ${port}`]),
    ...(pathname === '/' || pathname === '' ? [] : [`the path ${excerpt(pathname)}`]),
    ...(searchParams.size === 0 ? [] : [searchParams.size === 1 ? '1 parameter' : `${searchParams.size} parameters`]),
  ];
  return fact(`${protocol}//${host}`, `The URL leads to the host ${excerpt(hostname, 300)} with ${AND.format(parts)}.`);
}

/** Returns whether a name or a password is in the URL. Neither is repeated: it may be a real one. */
function credentialFacts({ username, password, hostname }: URL): readonly Fact[] {
  if (username === '' && password === '') return [];
  const [name = ''] = decoded(username).split(/[/@\\:]/, 1);
  if (isPublicName(name)) {
    const summary = `"${excerpt(name)}" before the @ is a user name that looks like a host; the host is ${excerpt(hostname)}.`;
    return [fact('host-like-user-name', summary, { confidence: 0.9, severity: 0.7 })];
  }
  const what = password === '' ? 'a user name' : 'a user name and a password';
  return [fact('credentials-in-url', `The URL has ${what} before its host.`, { severity: 0.4 })];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the host as it stands in the URL, before it is normalised. */
function writtenHost(text: string): string {
  const [authority = ''] = text.slice(text.indexOf('//') + 2).split(/[/?#\\]/, 1);
  return authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:[0-9]*$/, '')
    .toLowerCase();
}

function hostFacts({ hostname }: URL, written: string): readonly Fact[] {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  if (version === 0) return domainFacts(hostname);
  const facts = [fact('address-as-host', `The host is the address ${address} instead of a name.`, { severity: 0.2 })];
  if (version === 4 && written !== hostname) {
    const summary = `The host is written as "${excerpt(written)}", which hides the address ${address}.`;
    facts.push(fact('obfuscated-address', summary, { severity: 0.7 }));
  }
  return [...facts, ...addressFacts(address)];
}

function portFact({ port, protocol }: URL): readonly Fact[] {
  if (port === '' || USUAL_PORTS.has(port) || !/^https?:$/.test(protocol)) return [];
  const service = serviceOf(Number(port));
  const usual = service === undefined ? '' : ` (${service})`;
  const summary = `The port ${port} is unusual for ${protocol.slice(0, -1)}${usual}.`;
  return [fact('unusual-port', summary, { confidence: 0.6, severity: 0.2 })];
}
