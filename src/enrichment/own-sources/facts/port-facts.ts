import { type Fact, fact } from './fact.ts';

/**
 * Services of well-known ports (IANA, Service Name and Transport Protocol Port Number Registry).
 * A line has the port, the registered name, and the service; `*` marks a usual name instead.
 */
const SERVICES: ReadonlyMap<number, readonly [name: string, service: string]> = new Map(
  `
7 echo Echo
9 discard Discard, also Wake-on-LAN
13 daytime Daytime
17 qotd Quote of the Day
19 chargen Character Generator
20 ftp-data File Transfer (data)
21 ftp File Transfer (control)
22 ssh Secure Shell
23 telnet Telnet
25 smtp Simple Mail Transfer
37 time Time
43 nicname WHOIS
49 tacacs TACACS login
53 domain Domain Name System
67 bootps DHCP server
68 bootpc DHCP client
69 tftp Trivial File Transfer
79 finger Finger
80 http World Wide Web
88 kerberos Kerberos
102 iso-tsap ISO transport, also Siemens S7
110 pop3 Post Office Protocol
111 sunrpc ONC Remote Procedure Call
113 ident Identification
119 nntp Network News
123 ntp Network Time
135 epmap DCE endpoint mapper (Microsoft RPC)
137 netbios-ns NetBIOS name service
138 netbios-dgm NetBIOS datagrams
139 netbios-ssn NetBIOS sessions
143 imap Internet Message Access
161 snmp Simple Network Management
162 snmptrap SNMP traps
177 xdmcp X Display Manager
179 bgp Border Gateway Protocol
194 irc Internet Relay Chat
389 ldap Lightweight Directory Access
427 svrloc Service Location
443 https Secure World Wide Web
445 microsoft-ds SMB file sharing
464 kpasswd Kerberos password change
465 submissions Mail submission over TLS
500 isakmp IPsec key exchange
502 mbap Modbus
513 login Remote login
514 shell Remote shell, and syslog over UDP
515 printer Line printer
520 router Routing Information Protocol
523 ibm-db2 IBM Db2
546 dhcpv6-client DHCPv6 client
547 dhcpv6-server DHCPv6 server
548 afpovertcp Apple file sharing
554 rtsp Real Time Streaming
587 submission Mail submission
593 http-rpc-epmap Microsoft RPC over HTTP
623 asf-rmcp IPMI management of machines
631 ipp Internet Printing
636 ldaps LDAP over TLS
853 domain-s DNS over TLS
860 iscsi iSCSI
873 rsync rsync
902 ideafarm-door VMware hosts, usually
989 ftps-data FTP over TLS (data)
990 ftps FTP over TLS (control)
993 imaps IMAP over TLS
995 pop3s POP3 over TLS
1080 socks SOCKS proxy
1194 openvpn OpenVPN
1433 ms-sql-s Microsoft SQL Server
1434 ms-sql-m Microsoft SQL Server monitor
1521 oracle* Oracle database
1701 l2tp Layer 2 Tunneling
1723 pptp Point-to-Point Tunneling
1812 radius RADIUS authentication
1813 radius-acct RADIUS accounting
1883 mqtt MQTT
1900 ssdp UPnP discovery
2049 nfs Network File System
2181 zookeeper* ZooKeeper
2222 ssh-alternative* Secure Shell on another port
2375 docker Docker API without TLS
2376 docker-s Docker API over TLS
2379 etcd-client etcd
3128 squid* HTTP proxy (Squid)
3260 iscsi-target iSCSI
3268 msft-gc Microsoft global catalog
3269 msft-gc-ssl Microsoft global catalog over TLS
3306 mysql MySQL
3389 ms-wbt-server Remote Desktop
3478 stun STUN and TURN
3690 svn Subversion
4369 epmd Erlang port mapper
4433 https-alternative* HTTPS on another port
4444 krb524 Kerberos 5 to 4, also the default of Metasploit
4500 ipsec-nat-t IPsec through NAT
4789 vxlan VXLAN
5000 commplex-main UPnP and development servers, usually
5060 sip Session Initiation
5061 sips SIP over TLS
5222 xmpp-client XMPP clients
5269 xmpp-server XMPP servers
5353 mdns Multicast DNS
5355 llmnr Link-local multicast name resolution
5432 postgresql PostgreSQL
5555 personal-agent Android Debug Bridge, usually
5601 kibana* Kibana
5671 amqps AMQP over TLS
5672 amqp AMQP
5683 coap CoAP
5900 rfb Remote framebuffer (VNC)
5938 teamviewer* TeamViewer
5984 couchdb CouchDB
5985 wsman Windows Remote Management
5986 wsmans Windows Remote Management over TLS
6000 x11 X Window System
6379 redis Redis
6443 sun-sr-https Kubernetes API, usually
6667 ircu Internet Relay Chat
6697 ircs-u IRC over TLS
6881 bittorrent* BitTorrent
7001 afs3-callback WebLogic, usually
8000 irdmi HTTP on another port, usually
8008 http-alt HTTP on another port
8080 http-alt HTTP on another port
8086 influxdb* InfluxDB
8333 bitcoin* Bitcoin
8443 pcsync-https HTTPS on another port, usually
8545 ethereum* Ethereum
8883 secure-mqtt MQTT over TLS
8888 ddi-tcp-1 HTTP on another port, usually
9000 cslistener HTTP on another port, usually
9001 etlservicemgr Relays of Tor, usually
9050 tor-socks* SOCKS proxy of Tor
9090 websm Prometheus, usually
9092 kafka* Kafka
9100 hp-pdl-datastr Raw printing
9200 wap-wsp Elasticsearch, usually
9300 vrace Nodes of Elasticsearch, usually
9418 git Git
10000 ndmp Network data management, Webmin
10250 kubelet* Kubernetes nodes
11211 memcache memcached
11434 ollama* Ollama
15672 rabbitmq* RabbitMQ management
25565 minecraft* Minecraft
27017 mongodb* MongoDB
31337 back-orifice* Back Orifice
33434 traceroute traceroute
44818 EtherNet-IP-2 EtherNet/IP
47808 bacnet BACnet
51820 wireguard* WireGuard`
    .trim()
    .split('\n')
    .map((line) => {
      const [port, name = '', ...service] = line.split(' ');
      return [Number(port), [name, service.join(' ')]];
    }),
);

/** Returns the usual service of a port; undefined for ports without one. */
export function serviceOf(port: number): string | undefined {
  return SERVICES.get(port)?.[1];
}

/** Returns the registered name, the service and the range of a port. */
export function portFacts(value: string): readonly Fact[] {
  const port = /^[0-9]{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(port <= 65_535)) return [];
  if (port === 0) return [fact('reserved', 'Port 0 is reserved: nothing can listen on it.', { ubiquitous: true })];
  const [name, service] = SERVICES.get(port) ?? [];
  const facts = name === undefined ? [] : [serviceFact(port, name, service ?? '')];
  return [...facts, rangeFact(port)];
}

function serviceFact(port: number, name: string, service: string): Fact {
  const isRegistered = !name.endsWith('*');
  const plain = name.replace('*', '');
  const summary = isRegistered
    ? `IANA names port ${port} ${plain}: ${service}.`
    : `Port ${port} is usually ${service}.`;
  return fact(plain, summary, { confidence: isRegistered ? 0.8 : 0.5 });
}

/** Ranges of RFC 6335, section 6. */
function rangeFact(port: number): Fact {
  if (port < 1_024)
    return fact('system-port', `Port ${port} is a system port, which needs privileges on many systems.`);
  return port < 49_152
    ? fact('user-port', `Port ${port} is a user port.`)
    : fact('dynamic-port', `Port ${port} is a dynamic port, as clients get them for one connection.`);
}
