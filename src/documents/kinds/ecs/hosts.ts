import { group, ip, keyword, mapping } from '../../schema/field-builders.ts';
import { containerImage } from './clouds.ts';

export const agent = group('Agent', 'Program that collected the record.', {
  id: keyword('Identifier of the agent.').optional(),
  name: keyword('Name of the agent.').optional(),
  type: keyword('Kind of agent.').optional(),
  version: keyword('Version of the agent.').optional(),
});

export const container = group('Container', 'Container.', {
  id: keyword('Identifier of the container.').optional(),
  image: containerImage.optional(),
  labels: mapping('Labels of the image.', keyword('Value of the label.')).optional(),
  name: keyword('Name of the container.').optional(),
  runtime: keyword('Program that runs the container.').optional(),
});

export const host = group('Host', 'Machine that the record is about.', {
  id: keyword('Identifier of the machine.').optional(),
  ip: ip('IP addresses of the machine.').list().default([]),
  mac: keyword('Hardware addresses of the machine.').list().default([]),
  name: keyword('Name that people use for the machine.').optional(),
  hostname: keyword('Name that the machine uses for itself.').optional(),
  domain: keyword('Directory or domain that the machine belongs to.').optional(),
  type: keyword('Kind of machine.').optional(),
});

const device = group('Device', 'Device of a user agent.', { name: keyword('Name of the device.').optional() });

const operatingSystem = group('OS', 'Operating system.', {
  family: keyword('Family, such as debian.').optional(),
  full: keyword('Name with version.').optional(),
  kernel: keyword('Version of the kernel.').optional(),
  name: keyword('Name without version.').optional(),
  platform: keyword('Platform, such as centos or windows.').optional(),
  type: keyword('Broad kind: linux, macos, unix or windows.').optional(),
  version: keyword('Version.').optional(),
});

export const userAgent = group('UserAgent', 'Program that a request was made with.', {
  device: device.optional(),
  name: keyword('Name of the program.').optional(),
  original: keyword('The whole header.').optional(),
  os: operatingSystem.optional(),
  version: keyword('Version of the program.').optional(),
});

const registryData = group('RegistryData', 'Data of a registry value.', {
  bytes: keyword('The data as it was written, in base 64.').optional(),
  strings: keyword('The data as texts.').list().optional(),
  type: keyword('Type of the data, such as REG_SZ.').optional(),
});

export const registry = group('Registry', 'Windows registry.', {
  data: registryData.optional(),
  hive: keyword('Hive, abbreviated, such as HKLM.').optional(),
  key: keyword('Key below the hive.').optional(),
  path: keyword('Full path: hive, key and value.').optional(),
  value: keyword('Name of the value.').optional(),
});
