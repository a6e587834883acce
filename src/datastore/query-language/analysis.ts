import type { SearchKind } from '../../documents/schema/field-types.ts';
import { lowercase } from '../regular-language/code-points.ts';
import { standardTokens } from './standard-tokenizer.ts';

/** A search kind whose values are split into tokens. */
export type AnalysedKind = Extract<SearchKind, 'text' | 'ssdeep'>;

export interface Token {
  /** Indexed form. */
  readonly text: string;
  /** Place in the field, from 0; values of one field lie `VALUE_GAP` further apart than neighbours. */
  readonly position: number;
}

/** Positions left free between two values of one text field, so that phrases do not run across values. */
export const VALUE_GAP = 100;

/** Java's `\s` and not JavaScript's, which knows more blanks. */
const SSDEEP_SEPARATOR = /[ \t\n\v\f\r]*:[ \t\n\v\f\r]*/;

const ANALYSERS: Record<AnalysedKind, (text: string) => readonly string[]> = {
  text: (text) => standardTokens(text).map(lowercase),
  ssdeep: (text) => text.split(SSDEEP_SEPARATOR).filter((part) => part !== ''),
};

/** Returns whether values of the kind are split into tokens. */
export function isAnalysed(searchKind: SearchKind): searchKind is AnalysedKind {
  return Object.hasOwn(ANALYSERS, searchKind);
}

/** Returns the tokens of one value, as documents are indexed and queries are asked. */
export function analyse(searchKind: AnalysedKind, text: string): readonly Token[] {
  return analyseValues(searchKind, [text]);
}

/** Returns the tokens of all values of one field, each value `VALUE_GAP` positions after the last. */
export function analyseValues(searchKind: AnalysedKind, values: readonly string[]): readonly Token[] {
  const tokens: Token[] = [];
  let position = -1;
  for (const value of values) {
    for (const text of ANALYSERS[searchKind](value)) {
      position += 1;
      tokens.push({ text, position });
    }
    position += VALUE_GAP;
  }
  return tokens;
}
