import { isObject } from '../../../../json/json-object.ts';
import { strictestMarking } from '../markings.ts';

/**
 * Identifiers of the marking definitions of TLP 1 (STIX 2.1 section 7.2.1.4) and TLP 2 (its
 * extension).
 */
export const TLP_DEFINITIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '613f2e26-407d-48c7-9eca-b8e91df99dc9': 'TLP:CLEAR',
    '34098fce-860f-48ae-8e50-ebd3cc5e41da': 'TLP:GREEN',
    'f88d31f6-486f-44da-b317-01333bde0b82': 'TLP:AMBER',
    '5e57c739-391a-4eb3-b6be-7d15ca92d5ed': 'TLP:RED',
    '94868c89-83c2-464b-929b-a1a8aa3c8487': 'TLP:CLEAR',
    'bab4a63c-aed9-4cf5-a766-dfca5abac2bb': 'TLP:GREEN',
    '55d920b0-5e8b-4f79-9ee9-91f868d9b421': 'TLP:AMBER',
    '939a9414-2ddd-4d32-a0cd-375ea402b003': 'TLP:AMBER+STRICT',
    'e828b379-4e03-4974-9ac4-e53a884c97c1': 'TLP:RED',
  }).map(([uuid, marking]) => [`marking-definition--${uuid}`, marking]),
);

/** Returns the marking of TLP that a definition stands for; undefined for statements and other kinds. */
export function tlpOf(definition: Readonly<Record<string, unknown>>): string | undefined {
  const { definition: content, extensions, name } = definition;
  const added = isObject(extensions) ? Object.values(extensions).filter(isObject) : [];
  const levels = [isObject(content) ? content.tlp : undefined, ...added.map((extension) => extension.tlp_2_0)];
  const named = typeof name === 'string' && /^TLP:/i.test(name.trim()) ? [name] : [];
  const byLevel = levels.filter((level) => typeof level === 'string').map((level) => `TLP:${level}`);
  return strictestMarking([...byLevel, ...named]);
}
