/**
 * The table of MITRE ATT&CK tactics and techniques.
 * Comments begin with `#`; every other line is `<id>\t<name>`. Addresses follow from the identifiers.
 */

interface Entry {
  readonly key: string;
  readonly name: string;
  readonly url: string;
}

/** Returns the lists `tactics` and `techniques` of a table by identifier (contract/alert.md 6.5). */
export function attackLookups(table: string): Readonly<Record<'tactics' | 'techniques', Record<string, Entry>>> {
  const lookups = { tactics: {} as Record<string, Entry>, techniques: {} as Record<string, Entry> };
  for (const line of table.split('\n')) {
    const [key = '', name] = line.split('\t');
    if (name === undefined || key.startsWith('#')) continue;
    const list = key.startsWith('TA') ? 'tactics' : 'techniques';
    lookups[list][key] = { key, name, url: `https://attack.mitre.org/${list}/${key.replace('.', '/')}` };
  }
  return lookups;
}

/** The used members of a STIX 2.1 object. */
interface StixObject {
  readonly type: string;
  readonly name?: string;
  readonly revoked?: boolean;
  /** RFC 3339, in UTC. */
  readonly modified?: string;
  readonly x_mitre_version?: string;
  readonly external_references?: readonly { readonly source_name: string; readonly external_id?: string }[];
  readonly definition?: { readonly statement?: string };
}

export interface StixBundle {
  readonly objects: readonly StixObject[];
}

/**
 * Returns the table of STIX bundles of ATT&CK.
 * Revoked and deprecated techniques stay in it, because stored alerts name them; of two with one identifier the
 * valid one is used. Throws an Error if there are no tactics or techniques.
 * @param version version of ATT&CK. Default: that of the collection in the bundles
 */
export function attackTable(bundles: readonly StixBundle[], version?: string): string {
  const objects = bundles.flatMap((bundle) => bundle.objects);
  const names = new Map<string, string>();
  const listed = objects.filter(({ type }) => type === 'x-mitre-tactic' || type === 'attack-pattern');
  for (const { name, external_references: references = [] } of sortedByValidity(listed)) {
    const id = references.find(({ source_name }) => source_name === 'mitre-attack')?.external_id;
    if (id !== undefined && name !== undefined) names.set(id, name.replaceAll(/\s+/g, ' '));
  }
  const ids = [...names.keys()].sort();
  if (!ids.some((id) => id.startsWith('TA')) || !ids.some((id) => /^T\d/.test(id))) {
    throw new Error('There are no tactics or techniques of ATT&CK.');
  }
  const known = version ?? objects.find(({ type }) => type === 'x-mitre-collection')?.x_mitre_version;
  if (known === undefined) throw new Error('The version of ATT&CK is not known.');
  const comments = [
    ...notice(known, listed),
    ...new Set(objects.flatMap(({ definition }) => definition?.statement ?? [])),
  ];
  const lines = [...comments.map((comment) => `# ${comment}`), ...ids.map((id) => `${id}\t${names.get(id)}`)];
  return `${lines.join('\n')}\n`;
}

/** Returns the source and the notice that MITRE's terms of use ask for. */
function notice(version: string, listed: readonly StixObject[]): readonly string[] {
  const changed = listed
    .reduce((latest, { modified = '' }) => (modified > latest ? modified : latest), '')
    .slice(0, 10);
  return [
    `MITRE ATT&CK ${version}, last changed ${changed}. Written by scripts/attack-table.mjs.`,
    'Source: https://github.com/mitre/cti or https://github.com/mitre-attack/attack-stix-data',
    `© ${changed.slice(0, 4)} The MITRE Corporation. This work is reproduced and distributed with the permission of The MITRE Corporation.`,
    // The terms ask for these words in every copy.
    'The MITRE Corporation (MITRE) hereby grants you a non-exclusive, royalty-free license to use ATT&CK® for research, development, and commercial purposes.',
    "Any copy you make for such purposes is authorized provided that you reproduce MITRE's copyright designation and this license in any such copy.",
    'Terms of use: https://attack.mitre.org/resources/legal-and-branding/terms-of-use/',
  ];
}

/** Revoked objects first, so that a valid one replaces them. */
function sortedByValidity(objects: readonly StixObject[]): readonly StixObject[] {
  return [...objects].sort((left, right) => Number(right.revoked === true) - Number(left.revoked === true));
}
