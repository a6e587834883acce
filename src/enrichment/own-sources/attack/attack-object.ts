import { IDENTIFYING } from '../../../attack/attack-table.ts';
import { isObject } from '../../../json/json-object.ts';
import { excerpt } from '../local-answers.ts';

/** An object of ATT&CK, with the parts of it that are shown. */
export interface AttackObject {
  /** Identifier of ATT&CK, `T1059.001`. */
  readonly id: string;
  readonly stixId: string;
  readonly kind: string;
  readonly name: string;
  readonly description: string;
  /** Short name, by which techniques refer to a tactic. */
  readonly shortName: string | undefined;
  readonly phases: readonly string[];
  readonly platforms: readonly string[];
  readonly aliases: readonly string[];
  readonly isRevoked: boolean;
  readonly isDeprecated: boolean;
  readonly link: string | undefined;
}

/** Kinds of objects with an identifier, by their type in STIX. */
const KINDS: Readonly<Record<string, string>> = {
  'attack-pattern': 'technique',
  'x-mitre-tactic': 'tactic',
  'intrusion-set': 'group',
  malware: 'software',
  tool: 'software',
  campaign: 'campaign',
  'course-of-action': 'mitigation',
  'x-mitre-data-source': 'data source',
};

const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 20_000;
const MAX_VALUES = 100;

/** Reads an object of a bundle; undefined for those without an identifier of ATT&CK. */
export function readAttackObject(object: Readonly<Record<string, unknown>>): AttackObject | undefined {
  const { type, id: stixId, name } = object;
  const kind = typeof type === 'string' && Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (kind === undefined || typeof stixId !== 'string' || typeof name !== 'string') return undefined;
  const { external_id: id, url } = recordsOf(object.external_references).find(isIdentifying) ?? {};
  if (typeof id !== 'string') return undefined;
  const aliases = textsOf(object.aliases ?? object.x_mitre_aliases).filter((alias) => alias !== name);
  return {
    id,
    stixId,
    kind,
    name: excerpt(name, MAX_NAME_LENGTH),
    description:
      typeof object.description === 'string' ? object.description.slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed() : '',
    shortName: typeof object.x_mitre_shortname === 'string' ? object.x_mitre_shortname : undefined,
    phases: recordsOf(object.kill_chain_phases).flatMap(({ phase_name: phase }) => textsOf([phase])),
    platforms: textsOf(object.x_mitre_platforms),
    aliases,
    isRevoked: object.revoked === true,
    isDeprecated: object.x_mitre_deprecated === true,
    link: typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url) ? url : undefined,
  };
}

function isIdentifying({ source_name: name }: Readonly<Record<string, unknown>>): boolean {
  return typeof name === 'string' && IDENTIFYING.test(name);
}

function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.slice(0, MAX_VALUES).filter(isObject) : [];
}

function textsOf(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value.slice(0, MAX_VALUES) : [];
  return texts.filter((text) => typeof text === 'string').map((text) => excerpt(text, MAX_NAME_LENGTH));
}
