import { domain, float, group, integer, ip, keyword, long, mac } from '../../schema/field-builders.ts';
import { account } from './people.ts';

const geoPoint = group('GeoPoint', 'Point on the earth.', {
  lon: float('Longitude in degrees.'),
  lat: float('Latitude in degrees.'),
});

const geo = group('Geo', 'Where an address lies.', {
  city_name: keyword('City.').optional(),
  continent_code: keyword('Continent, as two letters.').optional(),
  continent_name: keyword('Continent.').optional(),
  country_iso_code: keyword('Country, as ISO code.').optional(),
  country_name: keyword('Country.').optional(),
  location: geoPoint.optional(),
  name: keyword('Name that the sender gives the place, such as a data centre.').optional(),
  postal_code: keyword('Postal code.').optional(),
  region_iso_code: keyword('Region, as ISO code.').optional(),
  region_name: keyword('Region.').optional(),
  timezone: keyword('Time zone, as IANA name.').optional(),
});

const autonomousSystem = group('AS', 'Autonomous system that an address belongs to.', {
  number: integer('Number of the autonomous system.').optional(),
  organization_name: keyword('Organization that runs it.').optional(),
});

const translation = group('Nat', 'Address after translation.', {
  ip: ip('Translated address.').optional(),
  port: integer('Translated port.').optional(),
});

const originalEndpoint = group('OriginalClient', 'The end before proxies and translation.', {
  address: keyword('Name or address as it was recorded.').optional(),
  autonomous_systems: autonomousSystem.optional(),
  bytes: integer('Bytes sent.').optional(),
  domain: domain('Domain name.').optional(),
  geo: geo.optional(),
  ip: ip('IP address.').optional(),
  mac: mac('Hardware address, lower case.').optional(),
  nat: translation.optional(),
  packets: integer('Packets sent.').optional(),
  port: integer('Port.').optional(),
});

export const endpoint = group('Client', 'One end of a connection.', {
  address: keyword('Name or address as it was recorded.').optional(),
  autonomous_systems: autonomousSystem.optional(),
  bytes: long('Bytes sent.').optional(),
  domain: keyword('Domain name.').optional(),
  geo: geo.optional(),
  ip: ip('IP address.').optional(),
  mac: mac('Hardware address, lower case.').optional(),
  nat: translation.optional(),
  packets: integer('Packets sent.').optional(),
  port: integer('Port.').optional(),
  user: account.optional(),
  original: originalEndpoint.optional(),
});

export const server = group('Server', 'The end that answers.', {
  ip: ip('IP address of the server.').optional(),
  address: keyword('Name or address as it was recorded.').optional(),
  domain: keyword('Domain name of the server.').optional(),
});
