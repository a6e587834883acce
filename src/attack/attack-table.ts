/**
 * The tables of MITRE ATT&CK: tactics, techniques, software and groups of one matrix.
 * Comments begin with `#`; every other line is `<id>\t<name>`, with further columns by kind:
 * a technique has its tactics, a revoked object `>` and its successor, software its type and techniques.
 */

/** The used members of a STIX 2.1 object. */
interface StixObject {
  readonly id?: string;
  readonly type: string;
  readonly name?: string;
  readonly revoked?: boolean;
  /** RFC 3339, in UTC. */
  readonly modified?: string;
  readonly x_mitre_version?: string;
  readonly external_references?: readonly { readonly source_name: string; readonly external_id?: string }[];
  readonly kill_chain_phases?: readonly { readonly phase_name: string }[];
  readonly relationship_type?: string;
  readonly source_ref?: string;
  readonly target_ref?: string;
  readonly definition?: { readonly statement?: string };
}

export interface StixBundle {
  readonly objects: readonly StixObject[];
}

const LISTED: ReadonlySet<string> = new Set(['x-mitre-tactic', 'attack-pattern', 'malware', 'tool', 'intrusion-set']);
const SOFTWARE: ReadonlySet<string> = new Set(['malware', 'tool']);

/**
 * Returns the table of STIX bundles of ATT&CK.
 * Revoked and deprecated objects stay in it, because stored alerts name them; of two with one identifier the
 * valid one is used. Throws an Error if there are no tactics or techniques.
 * @param version version of ATT&CK. Default: that of the collection in the bundles
 */
export function attackTable(bundles: readonly StixBundle[], version?: string): string {
  const objects = bundles.flatMap((bundle) => bundle.objects);
  const listed = objects.filter(({ type }) => LISTED.has(type));
  const relations = relationsOf(objects, listed);
  const lines = new Map<string, string>();
  for (const object of sortedByValidity(listed)) {
    const id = identifierOf(object);
    if (id === undefined || object.name === undefined) continue;
    const columns = [id, object.name.replaceAll(/\s+/g, ' '), ...furtherColumns(object, relations)];
    lines.set(id, columns.join('\t'));
  }
  const ids = [...lines.keys()].sort();
  if (!ids.some((id) => id.startsWith('TA')) || !ids.some((id) => /^T\d/.test(id))) {
    throw new Error('There are no tactics or techniques of ATT&CK.');
  }
  const known = version ?? objects.find(({ type }) => type === 'x-mitre-collection')?.x_mitre_version;
  if (known === undefined) throw new Error('The version of ATT&CK is not known.');
  const comments = [
    ...notice(known, listed),
    ...new Set(objects.flatMap(({ definition }) => definition?.statement ?? [])),
  ];
  return `${[...comments.map((comment) => `# ${comment}`), ...ids.map((id) => lines.get(id))].join('\n')}\n`;
}

/** Names of the references that hold the identifier, in the different matrices. */
export const IDENTIFYING = /^mitre(-mobile|-ics)?-attack$|^mobile-mitre-attack$/;

function identifierOf({ external_references: references = [] }: StixObject): string | undefined {
  return references.find(({ source_name: name }) => IDENTIFYING.test(name))?.external_id;
}

interface Relations {
  /** Identifier of the valid successor, by STIX identifier. */
  readonly successors: ReadonlyMap<string, string>;
  /** Identifiers of used techniques, by STIX identifier. */
  readonly uses: ReadonlyMap<string, readonly string[]>;
}

function relationsOf(objects: readonly StixObject[], listed: readonly StixObject[]): Relations {
  const byReference = new Map(listed.map((object) => [object.id ?? '', object]));
  const successors = new Map<string, string>();
  const uses = new Map<string, string[]>();
  for (const { relationship_type: type, source_ref: from = '', target_ref: to = '', revoked } of objects) {
    const target = byReference.get(to);
    const id = target && identifierOf(target);
    if (id === undefined || revoked === true) continue;
    if (type === 'revoked-by' && target?.revoked !== true) successors.set(from, id);
    if (type === 'uses' && target?.type === 'attack-pattern') uses.set(from, [...(uses.get(from) ?? []), id]);
  }
  return { successors, uses };
}

function furtherColumns(object: StixObject, { successors, uses }: Relations): readonly string[] {
  const { id = '', type, kill_chain_phases: phases = [] } = object;
  if (object.revoked === true) {
    const successor = successors.get(id);
    return successor === undefined ? ['>'] : [`>${successor}`];
  }
  if (type === 'attack-pattern') return [phases.map((phase) => phase.phase_name).join(',')];
  if (SOFTWARE.has(type)) return [type, [...new Set(uses.get(id))].sort().join(',')];
  return [];
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
