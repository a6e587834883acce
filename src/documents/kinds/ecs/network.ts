import { domain, group, integer, ip, keyword } from '../../schema/field-builders.ts';

const dnsAnswer = group('DNSAnswer', 'Resource record of an answer.', {
  class: keyword('Class of the record, usually IN.').optional(),
  data: keyword('Data of the record: an address, a name or a string.').optional(),
  name: keyword('Name that the record is about.').optional(),
  ttl: integer('Seconds for which the record may be kept.').optional(),
  type: keyword('Type of the record, such as A or CNAME.').optional(),
});

const dnsQuestion = group('DNSQuestion', 'What was asked.', {
  class: keyword('Class that was asked for, usually IN.').optional(),
  name: keyword('Name that was asked for.').optional(),
  registered_domain: domain('Highest registered domain of the name.').optional(),
  subdomain: keyword('Labels below the registered domain.').optional(),
  top_level_domain: keyword('Public suffix of the name.').optional(),
  type: keyword('Type of record that was asked for.').optional(),
});

export const dns = group('DNS', 'DNS query and its answer.', {
  answers: dnsAnswer.list().optional(),
  header_flags: keyword('Flags of the header, such as RD or AA.').list().optional(),
  id: keyword('Identifier of the query.').optional(),
  op_code: keyword('Kind of query.').optional(),
  question: dnsQuestion.optional(),
  resolved_ip: ip('Addresses in the answers.').list().optional(),
  response_code: keyword('Result, such as NOERROR or NXDOMAIN.').optional(),
  type: keyword('Whether this is the query or the answer.').optional(),
});

const httpBody = group('Body', 'Body of a request or response.', {
  bytes: integer('Size of the body in bytes.').optional(),
  content: keyword('The body itself.').optional(),
});

const httpRequest = group('Request', 'HTTP request.', {
  body: httpBody.optional(),
  bytes: integer('Size of the request in bytes, headers included.').optional(),
  id: keyword('Identifier that links the records of one request.').optional(),
  method: keyword('Method, such as GET.').optional(),
  mime_type: keyword('Media type of the body, as found by looking at it.').optional(),
  referrer: keyword('Page that led to the request.').optional(),
});

const httpResponse = group('Response', 'HTTP response.', {
  body: httpBody.optional(),
  bytes: integer('Size of the response in bytes, headers included.').optional(),
  mime_type: keyword('Media type of the body, as found by looking at it.').optional(),
  status_code: integer('Status code.').optional(),
});

export const http = group('HTTP', 'HTTP exchange.', {
  request: httpRequest.optional(),
  response: httpResponse.optional(),
  version: keyword('Version of HTTP.').optional(),
});

export const networkInterface = group('Interface', 'Network interface.', {
  id: integer('Number of the interface.').optionalNotEmpty(),
  name: keyword('Name of the interface.').optional(),
});

export const network = group('Network', 'Path over which the parties talk.', {
  direction: keyword('Direction seen from the observer, such as inbound.').optionalNotEmpty(),
  protocol: keyword('Application protocol.').optional(),
  transport: keyword('Transport protocol, lower case.', { lowerCased: true }).optionalNotEmpty(),
});

const egress = group('Egress', 'Where traffic leaves the observer.', {
  zone: keyword('Zone that traffic goes to.').optional(),
});

const ingress = group('Ingress', 'Where traffic enters the observer.', {
  zone: keyword('Zone that traffic comes from.').optional(),
  interface: networkInterface.optional(),
});

export const observer = group('Observer', 'Device that saw the traffic or made the record.', {
  egress: egress.optional(),
  hostname: keyword('Host name of the device.').optional(),
  ingress: ingress.optional(),
  interface: networkInterface.optional(),
  ip: ip('IP addresses of the device.').list().default([]),
  mac: keyword('Hardware addresses of the device.').list().default([]),
  name: keyword('Name of the device.').optional(),
  product: keyword('Product name.').optional(),
  serial_number: keyword('Serial number.').optional(),
  type: keyword('Kind of device, such as firewall.').optional(),
  vendor: keyword('Maker of the device.').optional(),
  version: keyword('Version of the device.').optional(),
});

const tlsClient = group('Client', 'Client of a TLS connection.', {
  server_name: keyword('Host name that the client asked for (SNI).').optional(),
  ja3: keyword('JA3 fingerprint of the client.').optional(),
});

const tlsServer = group('Server', 'Server of a TLS connection.', {
  ja3s: keyword('JA3S fingerprint of the server.').optional(),
});

export const tls = group('TLS', 'TLS connection.', {
  version: keyword('Version of the protocol as a number.').optional(),
  version_protocol: keyword('Name of the protocol, tls or ssl.').optional(),
  client: tlsClient.optional(),
  server: tlsServer.optional(),
});

export const url = group('URL', 'URL and its parts.', {
  domain: domain('Host name.').optional(),
  extension: keyword('File name extension in the path, without the dot.').optional(),
  fragment: keyword('What follows `#`.').optional(),
  full: keyword('The whole URL, put together.').optional(),
  original: keyword('The URL as it was seen.').optional(),
  password: keyword('Password in the URL.').optional(),
  path: keyword('Path.').optional(),
  port: integer('Port.').optional(),
  query: keyword('What follows `?`.').optional(),
  registered_domain: keyword('Highest registered domain of the host.').optional(),
  scheme: keyword('Scheme, such as https.').optional(),
  subdomain: keyword('Labels below the registered domain.').optional(),
  top_level_domain: keyword('Public suffix of the host.').optional(),
  username: keyword('User name in the URL.').optional(),
});
