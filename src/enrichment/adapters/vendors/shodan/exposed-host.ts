import { contextNote, type Note, named, present } from '../../finding.ts';

/** The facts that Shodan and its InternetDB both have of a host. */
export interface ExposedHost {
  readonly ports: readonly number[];
  readonly hostnames: readonly string[];
  readonly tags: readonly string[];
  readonly vulns: readonly string[];
  readonly timestamp?: string | undefined;
}

/** Tags that make an opinion; the others describe a host. */
const OPINIONS: Readonly<Record<string, string>> = {
  malware: 'malicious',
  c2: 'malicious',
  compromised: 'suspicious',
  scanner: 'suspicious',
};

/** Returns what can be said of an exposed host. */
export function exposedHostNotes({ ports, hostnames, tags, vulns, timestamp }: ExposedHost): readonly Note[] {
  const opinionTags = tags.filter((tag) => Object.hasOwn(OPINIONS, tag));
  const verdicts = new Set(opinionTags.map((tag) => OPINIONS[tag]));
  return present([
    opinionTags.length > 0 && {
      about: 'Tags',
      type: 'opinion',
      value: verdicts.has('malicious') ? 'malicious' : 'suspicious',
      confidence: 0.8,
      summary: `The host is tagged as ${named(opinionTags)}`,
      timestamp,
    },
    contextNote('Ports', named(ports.map(String)), 'Open ports', { quantity: ports.length, timestamp }),
    contextNote('Host names', named(hostnames), 'Host names', { quantity: hostnames.length }),
    contextNote('Tags', named(tags), 'Tags'),
    contextNote('Vulnerabilities', named(vulns), 'Possible vulnerabilities by version', { quantity: vulns.length }),
  ]);
}
