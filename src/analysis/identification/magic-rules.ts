/**
 * Rules in the format of magic(5) for kinds of files that libmagic does not know; a label
 * `custom: <kind>` decides the kind. Each block is a kind with the signatures of its format.
 */
export const MAGIC_RULES = String.raw`# CaRT: a neutered file. Version, then a reserved field of zeros.
0	string	CART
>6	quad	0	custom: archive/cart
# A file that stands for a URI
0	string	#\ Assemblyline\ URI\ file\n	custom: uri
# Documents
0	string	{\\rt	custom: document/office/rtf
0	string	\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3	custom: document/office/onenote
0	string	\xa1\x2f\xff\x43\xd9\xef\x76\x4c\x9e\xe2\x10\xea\x57\x22\x76\x5f	custom: document/office/onenote
0	search/256	=<?mso-application\ progid="Word.Document"?>	custom: document/office/word
0	regex/10	^(Subject|MIME)
>16	search/256	multipart/related
>>80	search/768	urn:schemas-microsoft-com:office	custom: document/office/mhtml
0	search/8192	K\x00j\x00j\x00a\x00q\x00f\x00a\x00j\x00N\x002\x00c\x000\x00u\x00z\x00g\x00v\x001\x00l\x004\x00q\x00y\x005\x00n\x00f\x00W\x00e\x00	custom: document/office/recoverystore
0	string	DKIM-Signature:	custom: document/email
0	search/300	Content-Type:\ multipart/
>&0	search/300	------MultipartBoundary--	custom: document/email
# Programs and scripts
0	string	\#!/usr/bin/env\ pwsh\n	custom: code/ps1
0	string	REM\ Batch\ extracted\ by\ Assemblyline\n	custom: code/batch
0	string	\#!/bin/python	custom: code/python
0	string	\#!/usr/bin/python	custom: code/python
0	string	\#!/usr/local/bin/python	custom: code/python
0	string	\#!/usr/bin/env\ python	custom: code/python
0	string	IDA1\x00\x00	custom: code/ida
0	search/64	\<Project
>&0	search/64	http://schemas.microsoft.com/developer/msbuild	custom: code/xml/msbuild
0	search/64	\<job
>&0	search/64	\<script\ language	custom: code/wsf
0	search/64	\<component
>&0	search/64	\<script\ language	custom: code/wsc
0	string	#@~^
>10	string	==	custom: code/vbe
0	string	\xff\xfe#\x00@\x00~\x00^\x00
>22	string	=\x00=\x00	custom: code/vbe
0	search/256	technique
>&0	search/256	pass
>>&0	search/256	VertexShader	custom: code/gles
>>&0	search/256	PixelShader	custom: code/gles
0	regex/256	COMPILEVS|COMPILEPS
>&0	regex/256	vec[234]	custom: code/glsl
1	string	technique	custom: code/glsl
1	string	renderpath	custom: code/glsl
1	string	material	custom: code/glsl
1	string	texture	custom: code/glsl
0	string	ibcc	custom: code/animation/ccb
0	string	\x7fELF
>4096	string	oat	custom: executable/android/oat
# Archives
0	string	ZWS	custom: archive/audiovisual/flash
0	string	CWS	custom: archive/audiovisual/flash
0	string	FWS	custom: audiovisual/flash
4	string	\xef\xbe\xad\xdeNullsoftInst	custom: archive/nsis
0	string	XXEncode\ \ 0.0\ (PowerArchiver\ 2009:\ www.powerarchiver.com)	custom: archive/xxe
0	string	UUEncode\ \ 0.0\ (PowerArchiver\ 2009:\ www.powerarchiver.com)	custom: archive/uue
0	string	begin
>&0	search/50	\nh	custom: archive/xxe
>&0	search/50	\nM	custom: archive/uue
# Apple disk images end with this
-512	string	koly\x00\x00\x00\x04\x00\x00\x02\x00	custom: archive/dmg
# Pictures and sound
0	string	JFIF\x00\x01	custom: image/jpg
0	string	FSB	custom: audio/fsb
0	string	AFS2	custom: audio/afs
# Android
0	string	\x03\x00\x08\x00	custom: android/xml
0	string	\x02\x00\x0c\x00	custom: android/resource
0	string	dex\n	custom: android/dex
# Java
0	string	Manifest-Version:	custom: java/manifest
0	string	Signature-Version:	custom: java/signature
1	string	jbdiff	custom: java/jbdiff
# Resources of games
0	string	@UTF\x00	custom: resource/acb
0	string	PVR	custom: resource/texture/powervr
0	string	KA3D	custom: resource/texture/ka3d
0	string	RVIO	custom: resource/texture/rvio
0	string	PKM\ 	custom: resource/texture/pkm
0	string	\xabKTX\ 	custom: resource/texture/ktx
0	string	4\x00\x00\x00
>&0	search/64	PVR!	custom: resource/font/pvr
0	lelong	4
>8	byte	<3	custom: resource/pak
0	string	CPK\ \xff	custom: resource/cpk
0	string	DTRZ	custom: resource/dz
0	string	SC\x00\x00\x00\x01\x00\x00\x00\x10	custom: resource/sc
0	string	CCZ!\x00\x00\x00\x01\x00\x00\x00\x00	custom: resource/ccz
0	string	EB\x00\x03\x00\x00\x00	custom: resource/big
0	string	PTCH\x07\x01	custom: resource/ptc
0	string	SBle
>16	string	MRAH	custom: resource/sbr
# Serialised Python objects end with a full stop
0	beshort	0x8002
>-1	byte	0x2e	custom: resource/pickle/v2
0	beshort	0x8003
>-1	byte	0x2e	custom: resource/pickle/v3
0	string	\x80\x04\x95
>-1	byte	0x2e	custom: resource/pickle/v4
0	string	\x80\x05\x95
>-1	byte	0x2e	custom: resource/pickle/v5
# Databases, certificates, network captures
0	string	DBPF\x02\x00\x00\x00\x01	custom: db/dbf
0	string	SQLite\ format\ 	custom: db/sqlite
0	search/32	\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02\xa0	custom: certificate/rsa
0	leshort	0x3c4d
>2	leshort	0xa1b2	custom: network/tcpdump
# Files in quarantine of other products
0	string	AhnLab\ Inc.\ 2006	custom: quarantine/ahnlab
0	string	-chest-\ 	custom: quarantine/avast
0	string	AntiVir\ Qua	custom: quarantine/avira
0	beshort	0x0bad	custom: quarantine/windowsdefender
0	belong	0xdbe8c501	custom: quarantine/windowsdefender
# What systems record
0	belong	!0x504b0304
>0	search/112	\<Event\ xmlns=
>>&0	string	"http://schemas.microsoft.com/win/2004/08/events/event">	custom: metadata/sysmon/xml
>>&0	string	'http://schemas.microsoft.com/win/2004/08/events/event'>	custom: metadata/sysmon/xml
10	string	_BIOPSY:	custom: metadata/memorydump
0	string	MDMP	custom: metadata/minidump
0	string	[InternetShortcut]	custom: shortcut/web
0	string	{"odm_type":\ "Assemblyline\ Result\ Ontology"	custom: assemblyline/ontology
`;
