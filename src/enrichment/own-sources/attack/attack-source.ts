import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { Log } from '../../../http/request-log.ts';
import { isObject } from '../../../json/json-object.ts';
import type { OwnSource } from '../../sources/own-source.ts';
import { answerLocally, excerpt } from '../local-answers.ts';
import { WatchedFile } from '../watched-file.ts';
import { type AttackLibrary, readAttackFile } from './attack-library.ts';
import { attackAnnotations, attackMarkdown } from './attack-texts.ts';

export interface AttackSourceDependencies {
  /** A STIX 2.x bundle of ATT&CK. */
  readonly file: string | null;
  readonly engine: Pick<ClassificationEngine, 'unrestricted'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** The type that the extraction of selectors finds, too. */
const TYPE = 'attack_id';
/** Lookups of a path write values in lower case. */
const EXPRESSION = '^(?:[Tt][Aa][0-9]{4}|[Tt][0-9]{4}(?:\\.[0-9]{3})?|[GgSsMmCc][0-9]{4}|[Dd][Ss][0-9]{4})$';
const FETCHER = 'text';

/** Opens the source of ATT&CK identifiers; undefined without a file. */
export function openAttackSource({ file, engine, log }: AttackSourceDependencies): OwnSource | undefined {
  if (file === null) return undefined;
  const { unrestricted: classification } = engine;
  const watched = new WatchedFile({ path: file, setting: 'enrichment.attack.file', read: readAttackFile, log });
  return {
    name: 'attack',
    reach: 'local',
    addedTypes: { [TYPE]: EXPRESSION },
    source: {
      types: () => ({ [TYPE]: classification }),
      lookup: async (selectors, flags, call) => {
        const library = await watched.value();
        const describe = (_type: string, value: string) => describeObject(library, value);
        return answerLocally(selectors, { flags, call, classification, describe });
      },
      fetchers: {
        [FETCHER]: {
          definition: {
            id: FETCHER,
            classification,
            description: 'Describes an object of MITRE ATT&CK.',
            format: 'markdown',
            supported_types: [TYPE],
          },
          run: async (selector) => textOf(await watched.value(), isObject(selector) ? String(selector.value) : ''),
        },
      },
    },
    close: () => watched.close(),
  };
}

function describeObject(library: AttackLibrary, id: string) {
  const entry = library.find(id);
  if (entry === undefined) return undefined;
  const { description: _, stixId: __, ...rawData } = entry;
  return { annotations: attackAnnotations(entry, library.version), link: entry.link, rawData };
}

function textOf(library: AttackLibrary, id: string) {
  const entry = library.find(id);
  if (entry === undefined) {
    return { outcome: 'failure', format: 'error', error: `There is no "${excerpt(id)}" in the file of ATT&CK.` };
  }
  const link = entry.link === undefined ? {} : { link: entry.link };
  return { outcome: 'success', format: 'markdown', data: attackMarkdown(entry), ...link };
}
