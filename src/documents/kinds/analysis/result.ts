import { defineDocument } from '../../schema/document-definition.ts';
import {
  anyJson,
  boolean,
  classification,
  dateNow,
  enumeration,
  type Field,
  group,
  integer,
  keyword,
  mapping,
  sha256,
  text,
} from '../../schema/field-builders.ts';
import { ANY_KEY } from '../../schema/field-spec.ts';
import { archiveTime, expiry, internal, notStored } from './parts.ts';
import { type Tagging, taggingFields } from './tagging.ts';

/** Formats of the body of a section. */
export const BODY_FORMATS = [
  'TEXT',
  'MEMORY_DUMP',
  'GRAPH_DATA',
  'URL',
  'JSON',
  'KEY_VALUE',
  'PROCESS_TREE',
  'SANDBOX',
  'TABLE',
  'IMAGE',
  'MULTI',
  'ORDERED_KEY_VALUE',
  'TIMELINE',
] as const;

/** Tokens of a body that searches find (docs/decisions/0029). */
export const SEARCHED_BODY_TOKENS = 20_000;

/** Places where a section is shown too. */
export const SECTION_PROMOTIONS = ['SCREENSHOT', 'ENTROPY', 'URI_PARAMS'] as const;

/** Relations of a file to the file that it comes from. */
export const PARENT_RELATIONS = ['ROOT', 'EXTRACTED', 'INFORMATION', 'DYNAMIC', 'MEMDUMP', 'DOWNLOADED'] as const;

const attack = group(
  'SectionAttack',
  'A technique of ATT&CK.',
  notStored({
    attack_id: keyword('Identifiers of ATT&CK.').copyToText(),
    pattern: keyword('Techniques of ATT&CK.').copyToText(),
    categories: keyword('Tactics of ATT&CK.').list(),
  }),
);

const matchedSignature = group(
  'MatchedSignature',
  'A signature that matched.',
  notStored({
    name: keyword('Signature that matched.').copyToText(),
    frequency: integer('How often the signature matched.').default(1),
    safe: boolean('Whether the signature is on the list of safe ones.').default(false),
  }),
);

const sectionHeuristic = group('SectionHeuristic', 'The heuristic of a section.', {
  ...notStored({
    heur_id: keyword('Identifier of the heuristic.').copyToText(),
    name: keyword('Name of the heuristic.').copyToText(),
    score: integer('Score of the heuristic.'),
  }),
  attack: attack.list().default([]),
  signature: matchedSignature.list().default([]),
});

/** The tags of a section. */
export const tagging: Field<Tagging> = group(
  'Tagging',
  'Tags of a section, in a tree by the parts of their types.',
  taggingFields,
) as unknown as Field<Tagging>;

const section = group('Section', 'A section of a result.', {
  ...notStored({
    auto_collapse: boolean('Whether the section is shown closed.').default(false),
    body: text('Text of the section.').optional().copyToText().searchedTokens(SEARCHED_BODY_TOKENS),
    classification: classification('Who may see the section.'),
    title_text: text('Title of the section.').copyToText(),
    promote_to: enumeration('Where the section is shown too.', SECTION_PROMOTIONS).optional(),
    safelisted_tags: mapping('Tags on the safelist by type.', keyword('Values.').list(), { keys: ANY_KEY }).default({}),
  }),
  ...internal({
    body_config: mapping('How the text is laid out.', anyJson('A setting.'), { keys: ANY_KEY }).optional().leftOut(),
    body_format: enumeration('Kind of text.', BODY_FORMATS),
    depth: integer('Depth in the tree of sections.'),
  }),
  heuristic: sectionHeuristic.optional(),
  tags: tagging.default({}),
});

const resultBody = group('ResultBody', 'What was found.', {
  score: integer('Score of all sections.').default(0),
  sections: section.list().default([]),
});

const responseFile = (what: string) =>
  group(
    'ResponseFile',
    `Describes ${what}.`,
    notStored({
      name: keyword(`Name of ${what}.`).copyToText(),
      sha256: sha256(`SHA-256 of ${what}.`).copyToText(),
      description: text(`What ${what} is.`).copyToText(),
      classification: classification(`Who may see ${what}.`),
      is_section_image: boolean(`Whether ${what} is a picture that the result shows.`).default(false),
      parent_relation: text(`How ${what} comes from its parent.`).default('EXTRACTED'),
      allow_dynamic_recursion: boolean(`Whether ${what} may go to dynamic analysis again.`).default(false),
    }),
  );

const milestones = group(
  'Milestones',
  'When the service worked.',
  internal({
    service_started: dateNow('When the service began.'),
    service_completed: dateNow('When the service was done.'),
  }),
);

const responseBody = group('ResponseBody', 'The answer of the service.', {
  milestones: milestones.default({}),
  service_version: keyword('Version of the service.').notStored(),
  service_name: keyword('Name of the service.').copyToText(),
  service_tool_version: keyword('Version of the tools of the service.').optional().copyToText(),
  supplementary: responseFile('a supplementary file').list().default([]),
  extracted: responseFile('an extracted file').list().default([]),
  ...internal({
    service_context: keyword('What the service knew beside the file.').optional(),
    service_debug_info: keyword('Where the service ran.').optional(),
  }),
});

export const resultDocument = defineDocument({
  name: 'result',
  title: 'Result',
  description: 'What a service found in a file.',
  classificationField: 'classification',
  classifiedParts: ['result.sections', 'response.extracted', 'response.supplementary'],
  expiryField: 'expiry_ts',
  defaultSort: [{ field: 'created', order: 'desc' }],
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    archive_ts: archiveTime,
    classification: classification('Who may see it.'),
    created: dateNow('When it was made.'),
    expiry_ts: expiry,
    response: responseBody,
    result: resultBody.default({}),
    sha256: sha256('SHA-256 of the file.').notStored(),
    type: keyword('Type of the file.').optional(),
    size: integer('Size of the file in bytes.').optional(),
    drop_file: boolean('Whether no other service got the file.').default(false),
    partial: boolean('Whether the service wants to run again with more knowledge.').default(false),
    from_archive: boolean('Whether it came from the archive.').default(false).notIndexed(),
  },
});

export type Result = typeof resultDocument.Type;
export type ResultSection = Result['result']['sections'][number];
export type ResponseFile = Result['response']['extracted'][number];
