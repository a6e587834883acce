import { defineDocument } from '../../schema/document-definition.ts';
import {
  anyJson,
  boolean,
  classification,
  enumeration,
  float,
  group,
  integer,
  keyword,
  mapping,
  text,
} from '../../schema/field-builders.ts';
import { ANY_KEY } from '../../schema/field-spec.ts';
import { internal, notStored } from './parts.ts';
import {
  ACCESS_MODES,
  environmentVariable,
  FETCH_METHODS,
  REGISTRY_TYPES,
  SERVICE_PARAMETER_TYPES,
  SIGNATURE_DELIMITERS,
  UPDATE_CHANNELS,
} from './service.ts';

const container = group(
  'DockerConfigDelta',
  'Changes of a container.',
  internal({
    allow_internet_access: boolean('Whether the container may reach the internet.').optional(),
    command: keyword('Command to run.').list().optional(),
    cpu_cores: float('Processor cores.').optional(),
    environment: environmentVariable.list().optional(),
    image: keyword('Image with tag.').optional(),
    registry_username: keyword('User of the registry.').default('').optional(),
    registry_password: keyword('Password of the registry.').default('').optional(),
    registry_type: enumeration('Kind of registry.', REGISTRY_TYPES).optional(),
    ports: keyword('Ports.').list().optional(),
    ram_mb: integer('Highest memory in MB.').optional(),
    ram_mb_min: integer('Lowest memory in MB.').optional(),
    service_account: keyword('Account in the cluster.').optional(),
    labels: environmentVariable.list().optional(),
  }),
);

const volume = group(
  'PersistentVolumeDelta',
  'Changes of a volume.',
  internal({
    mount_path: keyword('Folder in the container.').optional(),
    capacity: keyword('Size.').optional(),
    storage_class: keyword('Class of the storage.').optional(),
    access_mode: enumeration('Access.', ACCESS_MODES).optional(),
  }),
);

const dependency = group(
  'DependencyConfigDelta',
  'Changes of a container that a service needs.',
  internal({
    container: container.optional(),
    volumes: mapping('Volumes by name.', volume, { keys: ANY_KEY }).default({}),
    run_as_core: boolean('Whether it runs as a core component.').optional(),
  }),
);

const source = group(
  'UpdateSourceDelta',
  'A place that signatures are fetched from.',
  internal({
    name: keyword('Name.').optional(),
    password: keyword('Password.').default('').optional(),
    pattern: keyword('Pattern of the files.').default('').optional(),
    private_key: keyword('Private key.').default(''),
    ca_cert: keyword('Certificate of the authority.').default('').optional(),
    ssl_ignore_errors: boolean('Whether errors of the certificate are ignored.').default(false),
    proxy: keyword('Proxy.').default('').optional(),
    uri: keyword('Where it is.').optional(),
    username: keyword('User name.').default('').optional(),
    headers: environmentVariable.list().optional(),
    default_classification: classification('Classification of signatures that have none.').optional(),
    use_managed_identity: boolean('Whether the identity of the machine signs in.').default(false).optional(),
    git_branch: keyword('Branch.').default('').optional(),
    sync: boolean('Whether signatures that are gone are disabled.').default(false).optional(),
    fetch_method: enumeration('How it is fetched.', FETCH_METHODS).default('GET').optional(),
    enabled: boolean('Whether it is fetched.').default(true).optional(),
    override_classification: boolean('Whether its classification replaces that of signatures.')
      .default(false)
      .optional(),
    configuration: mapping('Settings.', anyJson('A setting.'), { keys: ANY_KEY }).default({}).optional(),
    update_interval: integer('Seconds between updates.', { minimum: 0 }).optional(),
    ignore_cache: boolean('Whether it is fetched even when nothing changed.').default(false).optional(),
    data: text('Body of the request.').optional(),
  }),
);

const updateConfig = group('UpdateConfigDelta', 'Changes of how a service gets its signatures.', {
  generates_signatures: boolean('Whether there are signatures.').optional().notStored(),
  ...internal({
    sources: source.list().optional(),
    update_interval_seconds: integer('Seconds between updates.').optional(),
    wait_for_update: boolean('Whether the service waits for the first update.').optional(),
    signature_delimiter: enumeration('What stands between signatures.', SIGNATURE_DELIMITERS).optional(),
    custom_delimiter: keyword('What stands between signatures, when it is none of the names.').optional(),
    default_pattern: text('Pattern of the files.').optional(),
  }),
});

const submissionParameter = group(
  'ServiceParameterDelta',
  'Changes of a parameter that a submission may set.',
  internal({
    default: anyJson('Value when none is set.').optional(),
    name: keyword('Name.').optional(),
    type: enumeration('Type.', SERVICE_PARAMETER_TYPES).optional(),
    value: anyJson('Value.').optional(),
    list: anyJson('Values to choose from.').optional(),
    hide: boolean('Whether it is hidden.').optional(),
  }),
);

export const serviceDeltaDocument = defineDocument({
  name: 'service_delta',
  title: 'ServiceDelta',
  description: 'What an installation changes of a service.',
  takesSingleValues: true,
  identifierInText: true,
  fields: {
    accepts: keyword('Expression of the types of files that it takes.').optional(),
    rejects: keyword('Expression of the types of files that it does not take.').optional(),
    category: keyword('Category.').optional().copyToText(),
    description: text('What it does, for people.').optional().copyToText(),
    enabled: boolean('Whether it runs.').optional(),
    name: keyword('Name.').optional().copyToText(),
    version: keyword('Version.'),
    stage: keyword('Stage of the analysis.').optional().copyToText(),
    ...notStored({
      auto_update: boolean('Whether it is updated by itself.').optional(),
      classification: classification('Who may see it.').optional(),
      default_result_classification: classification('Classification of results that have none.').optional(),
      is_external: boolean('Whether it sends files to others.').optional(),
      licence_count: integer('Workers that its licence allows; 0 is unlimited.').optional(),
      min_instances: integer('Fewest workers.').optional(),
      max_queue_length: integer('Tasks that may wait; 0 is unlimited.').optional(),
      uses_tags: boolean('Whether it gets tags.').optional(),
      uses_tag_scores: boolean('Whether it gets the scores of tags.').optional(),
      uses_temp_submission_data: boolean('Whether it gets temporary data.').optional(),
      uses_metadata: boolean('Whether it gets metadata.').optional(),
      monitored_keys: keyword('Temporary data whose change makes it run again.').list().optional(),
      privileged: boolean('Whether it works inside the core.').optional(),
      disable_cache: boolean('Whether results are never reused.').optional(),
      timeout: integer('Seconds for a file.').optional(),
      update_channel: enumeration('Channel of updates.', UPDATE_CHANNELS).optional(),
      recursion_prevention: keyword('Services and categories that are left out below it.').list().optional(),
    }),
    ...internal({
      dependencies: mapping('Containers that it needs, by name.', dependency, { keys: ANY_KEY }).default({}),
      config: mapping('Settings.', anyJson('A setting.'), { keys: ANY_KEY }).optional(),
      submission_params: submissionParameter.list().optional(),
    }),
    docker_config: container.optional(),
    update_config: updateConfig.optional(),
  },
});

export type ServiceDelta = typeof serviceDeltaDocument.Type;
