import { type AnalyzerManifest, BUILT_IN_IMAGE } from '../manifest.ts';

export const characterizeManifest: AnalyzerManifest = {
  name: 'Characterize',
  version: '1.0.0',
  tool_version: '',
  description: 'Shows the entropy of each part of a file, and the parameters of a URI.',
  accepts: '.*',
  rejects: 'empty',
  stage: 'CORE',
  category: 'Static Analysis',
  timeout: 60,
  enabled: true,
  file_required: true,
  config: {},
  submission_params: [],
  heuristics: [],
  docker_config: { image: BUILT_IN_IMAGE, cpu_cores: 0.5, ram_mb: 512 },
};
