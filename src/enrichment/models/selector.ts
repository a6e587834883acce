import { isIPv4, isIPv6 } from 'node:net';
import { type ModelContext, type ModelReading, readRecord } from './model-reading.ts';

/** A value to look up: its type, who may learn it, and the sources to ask. */
export interface Selector {
  readonly type: string;
  readonly value: string;
  readonly classification: string;
  /** Names of the only sources to ask; null: those that are asked by default. */
  readonly sources: readonly string[] | null;
}

export interface SelectorContext extends ModelContext {
  /** Classification of a selector that has none. Default: unrestricted. */
  readonly classification?: string | undefined;
  /** Sources of a selector that names none. */
  readonly sources?: readonly string[] | null | undefined;
  /** Returns why a value is not of its type; undefined when it is, or when the type has no rule. */
  readonly refuseValue?: ((type: string, value: string) => string | undefined) | undefined;
}

/** Bytes of a value, and of one of the type telemetry, which is a JSON document. */
export const MAX_VALUE_BYTES = 4_096;
export const MAX_TELEMETRY_BYTES = 262_144;

const MAX_TYPE_LENGTH = 255;
/** Types whose values are the same in upper and lower case. */
const CASE_INSENSITIVE_TYPES: ReadonlySet<string> = new Set('ip domain port tenant-id hbs_oid hbs_agent_id'.split(' '));
export const NOT_JSON = 'If type is telemetry, value must be a valid JSON object.';

/** Reads `{type, value, classification?, sources?}` and normalises type and value. */
export function readSelector(value: unknown, context: SelectorContext): ModelReading<Selector> {
  return readRecord(value, (fields) => {
    const type = normalisedType(fields.string('type'));
    const text = fields.string('value');
    const classification =
      fields.optionalString('classification') || context.classification || context.engine.unrestricted;
    const given = fields.raw('sources');
    const sources = given === undefined || given === null ? (context.sources ?? null) : fields.strings('sources');
    if (type.length > MAX_TYPE_LENGTH) fields.reject('type', `must have at most ${MAX_TYPE_LENGTH} characters`);
    if (!isKnownClassification(context, classification))
      fields.reject('classification', 'must be a valid classification');
    const normalised = normalisedSelector(type, text);
    return fields.done(
      () => ({ ...(normalised as NormalisedSelector), classification, sources }),
      () => ('refusal' in normalised ? normalised.refusal : context.refuseValue?.(normalised.type, normalised.value)),
    );
  });
}

interface NormalisedSelector {
  readonly type: string;
  readonly value: string;
}

/** Trims a type, writes it in lower case, and replaces the former name `eml` of `email`. */
export function normalisedType(type: string): string {
  return type.trim().toLowerCase().replaceAll('eml', 'email');
}

/**
 * Normalises a value: `ip` becomes `ipv4` or `ipv6`, and types without case lower case.
 * Returns the refusal of a value that is not of its type.
 * @param type normalised
 */
export function normalisedSelector(type: string, value: string): NormalisedSelector | { readonly refusal: string } {
  if (type === 'ip') {
    if (isIPv4(value)) return { type: 'ipv4', value };
    return isIPv6(value) ? { type: 'ipv6', value } : { refusal: 'value must be an IPv4 or IPv6 address' };
  }
  if (type === 'telemetry') return isJson(value) ? { type, value } : { refusal: NOT_JSON };
  return { type, value: CASE_INSENSITIVE_TYPES.has(type) ? value.toLowerCase() : value };
}

/** Returns the bytes that a value of this type may have when it has more, else undefined. */
export function exceededValueLimit(type: string, value: string): number | undefined {
  const limit = type === 'telemetry' ? MAX_TELEMETRY_BYTES : MAX_VALUE_BYTES;
  // No character has more than three bytes per unit.
  const isTooLong = value.length * 3 > limit && Buffer.byteLength(value) > limit;
  return isTooLong ? limit : undefined;
}

function isJson(value: string): boolean {
  if (exceededValueLimit('telemetry', value) !== undefined) return true;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

function isKnownClassification({ engine }: SelectorContext, text: string): boolean {
  if (text === engine.unrestricted) return true;
  try {
    engine.normalise(text);
    return true;
  } catch {
    return false;
  }
}
