import { choice, integer, section, textList } from './setting-kinds.ts';

/** Limits of files that come in bulk, below `analysis.core`. */
export const analysisCoreSettings = section({
  ingester: section({
    default_max_extracted: integer({
      description: 'Files that are taken out of a file that came in bulk, at most.',
      default: 100,
      minimum: 0,
    }),
    default_max_supplementary: integer({
      description: 'Files that are added to such a file, at most.',
      default: 100,
      minimum: 0,
    }),
  }),
});

/** The sort criteria of analyzers, below `analysis.services`. */
export const analysisServiceSettings = section({
  categories: textList({
    description: 'Categories of analyzers, which submitters choose from.',
    default: [
      'Antivirus',
      'Dynamic Analysis',
      'External',
      'Extraction',
      'Filtering',
      'Internet Connected',
      'Networking',
      'Static Analysis',
    ],
  }),
  preferred_update_channel: choice(['stable', 'rc', 'beta', 'dev'], {
    description: 'Versions of analyzers that are offered.',
    default: 'stable',
  }),
  stages: textList({
    description: 'Steps of an analysis, in their order.',
    default: ['FILTER', 'EXTRACT', 'CORE', 'SECONDARY', 'POST', 'REVIEW'],
  }),
});

/** Limits of one submission, below `analysis.submission` beside what clients are told. */
export const analysisLimitSettings = {
  default_max_extracted: integer({
    description: 'Files that are taken out of a file, at most.',
    default: 500,
    minimum: 0,
  }),
  default_max_supplementary: integer({
    description: 'Files that are added to it, at most.',
    default: 500,
    minimum: 0,
  }),
  max_extraction_depth: integer({
    description: 'Files inside files inside files: how deep they are looked at.',
    default: 6,
    minimum: 1,
  }),
  max_metadata_length: integer({
    description: 'Longest value of metadata, in characters.',
    default: 4096,
    minimum: 1,
  }),
  tag_types: section({
    attribution: textList({
      description: 'Tags that say whose work a file is.',
      default: [
        'attribution.actor',
        'attribution.campaign',
        'attribution.exploit',
        'attribution.implant',
        'attribution.family',
        'attribution.network',
        'av.virus_name',
        'file.config',
        'technique.obfuscation',
      ],
    }),
    behavior: textList({ description: 'Tags that say what a file does.', default: ['file.behavior'] }),
    ioc: textList({
      description: 'Tags that something else can be looked for by.',
      default: [
        'network.email.address',
        'network.static.ip',
        'network.static.domain',
        'network.static.uri',
        'network.dynamic.ip',
        'network.dynamic.domain',
        'network.dynamic.uri',
      ],
    }),
  }),
};
