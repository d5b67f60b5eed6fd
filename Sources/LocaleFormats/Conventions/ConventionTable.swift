// Written by scripts/lib/locale_conventions.py from the data of CLDR 41. Do not edit.
//
// Unicode CLDR: Copyright © 1991-2022 Unicode, Inc. All rights reserved. Distributed under the Terms of Use in
// https://www.unicode.org/copyright.html, by the Unicode License Agreement for Data Files and Software
// (Unicode-DFS-2016), which allows use and distribution as long as this notice stays with the data.

/// How languages and regions write numbers, amounts and dates: the data of Unicode's CLDR.
enum ConventionTable {
  /// A line for each locale: its name, and then, between bars, `zero`, `decimal`, `group`, `minus`, `percentSign`,
  /// `groupingMin`, `groupSizes`, `percent`, `amount`, `amountDecimal`, `amountGroup`, `date`, `time`, `am`, `pm`,
  /// `dateTime`, `symbols`.
  ///
  /// An empty column is equal to the column of the next shorter name that has a line, and at last of `root`.
  static let lines = """
    root|0|.|,|-|%|1|3|0%|\u{A4}\u{A0}0|.|,|y-MM-dd|HH:mm|AM|PM|{1} {0}|AUD=A$ BRL=R$ CAD=CA$ CNY=CN¥ EUR=€ GBP=£ HKD=HK$ ILS=₪ INR=₹ JPY=JP¥ KRW=₩ MXN=MX$ NZD=NZ$ PHP=₱ TWD=NT$ USD=US$ VND=₫ XAF=FCFA XCD=EC$ XOF=F\u{202F}CFA XPF=CFPF
    af||,|\u{A0}||||||\u{A4}0|,|\u{A0}|||vm.|nm.||CAD=CAD MXN=MXN PHP=PHP THB=\u{E3F} USD=USD ZAR=R
    af-NA|||||||||||||h:mm a||||NAD=$
    am|||||||||\u{A4}0|||d/M/y|h:mm a|\u{1325}\u{12CB}\u{1275}|\u{12A8}\u{1230}\u{12D3}\u{1275}||AUD=AU$ ETB=\u{1265}\u{122D} PHP=PHP THB=\u{E3F}
    ar|\u{660}|\u{66B}|\u{66C}|\u{61C}-|\u{66A}\u{61C}||||0\u{A0}\u{A4}|\u{66B}|\u{66C}|d\u{200F}/M\u{200F}/y|h:mm a|\u{635}|\u{645}|{1}, {0}|AED=\u{62F}.\u{625}.\u{200F} AUD=AU$ BHD=\u{62F}.\u{628}.\u{200F} DZD=\u{62F}.\u{62C}.\u{200F} EGP=\u{62C}.\u{645}.\u{200F} GBP=UK£ IQD=\u{62F}.\u{639}.\u{200F} IRR=\u{631}.\u{625}. JOD=\u{62F}.\u{623}.\u{200F} KWD=\u{62F}.\u{643}.\u{200F} LBP=\u{644}.\u{644}.\u{200F} LYD=\u{62F}.\u{644}.\u{200F} MAD=\u{62F}.\u{645}.\u{200F} MRU=\u{623}.\u{645}. OMR=\u{631}.\u{639}.\u{200F} PHP=PHP QAR=\u{631}.\u{642}.\u{200F} SAR=\u{631}.\u{633}.\u{200F} SDG=\u{62C}.\u{633}. SYP=\u{644}.\u{633}.\u{200F} THB=\u{E3F} TND=\u{62F}.\u{62A}.\u{200F} YER=\u{631}.\u{64A}.\u{200F}
    ar-AE|0|.|,|\u{200E}-|\u{200E}%\u{200E}||||\u{A4}\u{A0}0|.|,
    ar-DJ|||||||||||||||||DJF=Fdj
    ar-DZ|0|,|.|\u{200E}-|\u{200E}%\u{200E}||||\u{A4}\u{A0}0|,|.
    ar-EH|0|.|,|\u{200E}-|\u{200E}%\u{200E}||||\u{A4}\u{A0}0|.|,
    ar-ER|||||||||||||||||ERN=Nfk
    ar-IL|||||||||||||H:mm
    ar-KM|||||||||||||HH:mm||||KMF=CF
    ar-LB|||||||||||||||||SDG=SDG
    ar-LY|0|,|.|\u{200E}-|\u{200E}%\u{200E}||||\u{A4}\u{A0}0|,|.
    ar-MA|0|,|.|\u{200E}-|\u{200E}%\u{200E}||||\u{A4}\u{A0}0|,|.||HH:mm
    ar-SO|||||||||||||||||SOS=S
    ar-SS|||||||||||||||||GBP=GB£ SSP=£
    ar-TN|0|,|.|\u{200E}-|\u{200E}%\u{200E}||||\u{A4}\u{A0}0|,|.
    as|\u{9E6}||||||3,2|||||dd-MM-y|a h.mm|\u{9AA}\u{9C2}\u{9F0}\u{9CD}\u{9AC}\u{9BE}\u{9B9}\u{9CD}\u{9A8}|\u{985}\u{9AA}\u{9F0}\u{9BE}\u{9B9}\u{9CD}\u{9A8}||PHP=PHP
    az||,|.||||||0\u{A0}\u{A4}|,|.|dd.MM.y|||||AZN=\u{20BC} PHP=PHP THB=\u{E3F}
    az-Cyrl||||||||||||||\u{410}\u{41C}|\u{41F}\u{41C}||PHP=₱ THB=THB
    be||,|\u{A0}|||2||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|d.M.y||||{1}, {0}|BRL=BRL BYN=Br CAD=CAD JPY=¥ NZD=NZD PHP=PHP RUB=\u{20BD} USD=$
    be-TARASK||||||||||||||\u{430}\u{43F}\u{43E}\u{45E}\u{43D}\u{430}\u{447}\u{44B}|\u{430}\u{43F}\u{43E}\u{45E}\u{434}\u{43D}\u{456}||XOF=CFA
    bg||,|\u{A0}|||2|||0\u{A0}\u{A4}|,|\u{A0}|d.MM.y '\u{433}'.|H:mm '\u{447}'.|am|pm|{1}, {0}|AUD=AUD BGN=\u{43B}\u{432}. BRL=BRL CAD=CAD CNY=CNY GBP=GBP HKD=HKD ILS=ILS INR=INR JPY=JPY KRW=KRW MXN=MXN NZD=NZD PHP=PHP TWD=TWD USD=\u{449}.\u{434}. VND=VND XCD=XCD
    bn|\u{9E6}||||||3,2||0\u{A4}|||d/M/y|h:mm a||||BDT=\u{9F3} PHP=PHP THB=\u{E3F}
    br||,|\u{A0}|||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|dd/MM/y||A.M.|G.M.||AUD=$A BRL=BRL CAD=$CA CNY=CNY GBP=£ RU HKD=$ HK ILS=ILS JPY=JPY KRW=KRW NZD=$ ZN PHP=PHP TWD=TWD USD=$ SU VND=VND XCD=XCD
    bs||,|.|||||0\u{A0}%|0\u{A0}\u{A4}|,|.|d.M.y.||prijepodne|popodne||AUD=AUD BAM=KM BRL=BRL CAD=CAD CNY=CNY GBP=GBP HKD=HKD HRK=kn ILS=ILS JPY=¥ MXN=MXN NZD=NZD PHP=PHP RSD=din. THB=\u{E3F} USD=USD XCD=XCD XPF=XPF
    bs-Cyrl||||||||0%||||dd.MM.y.||\u{43F}\u{440}\u{435} \u{43F}\u{43E}\u{434}\u{43D}\u{435}|\u{43F}\u{43E}\u{43F}\u{43E}\u{434}\u{43D}\u{435}||AUD=A$ BAM=\u{41A}\u{41C} BRL=R$ CAD=CA$ CNY=CN¥ CZK=\u{41A}\u{447} GBP=£ HKD=HK$ HRK=HRK ILS=₪ MXN=MX$ NZD=NZ$ PHP=₱ PLN=\u{437}\u{43B} RSD=\u{434}\u{438}\u{43D}. THB=THB TRY=\u{422}\u{43B} USD=US$ XCD=EC$ XPF=CFPF
    ca||,|.||||||0\u{A0}\u{A4}|,|.|d/M/y|H:mm|a.\u{A0}m.|p.\u{A0}m.||AUD=AU$ BRL=BRL CAD=CAD CNY=CNY JPY=¥ MXN=MXN PHP=PHP THB=\u{E3F} USD=USD XCD=XCD
    ceb|||||||||\u{A4}0|||M/d/y|h:mm a|||{1}, {0}|USD=US $
    chr|||||||||\u{A4}0|||M/d/y|h:mm a|\u{13CC}\u{13BE}\u{13B4}|\u{13D2}\u{13AF}\u{13F1}\u{13A2}|{1}, {0}|PHP=PHP USD=$
    cs||,|\u{A0}|||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|d. M. y|H:mm|dop.|odp.||AUD=AU$ CZK=Kč ILS=ILS INR=INR PHP=PHP VND=VND
    cy|||||||||\u{A4}0|||d/M/y||yb|yh||KRW=KRW PHP=PHP THB=\u{E3F}
    da||,|.|||||0\u{A0}%|0\u{A0}\u{A4}|,|.|d.M.y|HH.mm||||AUD=AU$ DKK=kr. PHP=PHP THB=\u{E3F}
    de||,|.|||||0\u{A0}%|0\u{A0}\u{A4}|,|.|d.M.y||||{1}, {0}|AUD=AU$ JPY=¥ PHP=PHP THB=\u{E3F} USD=$
    de-AT|||\u{A0}||||||\u{A4}\u{A0}0
    de-CH||.|\u{2019}|||||0%|\u{A4}\u{A0}0;\u{A4}-0|.|\u{2019}||||||EUR=EUR
    de-LI||.|\u{2019}|||||0%|\u{A4}\u{A0}0|.|\u{2019}||||||EUR=EUR
    dsb||,|.|||||0\u{A0}%|0\u{A0}\u{A4}|,|.|d.M.y|H:mm|dopołdnja|wótpołdnja||AUD=AUD JPY=¥ PLN=zł THB=\u{E3F} USD=$
    el||,|.||||||0\u{A0}\u{A4}|,|.|d/M/y|h:mm a|\u{3C0}.\u{3BC}.|\u{3BC}.\u{3BC}.|{1}, {0}|PHP=PHP THB=\u{E3F} USD=$
    en|||||||||\u{A4}0|||M/d/y|h:mm a|||{1}, {0}|JPY=¥ USD=$
    en-001||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$
    en-150|||||||||0\u{A0}\u{A4}|||dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-AE||||||||||||dd/MM/y
    en-AG||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$ XCD=$
    en-AI||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$ XCD=$
    en-AT||,|.|||||0\u{A0}%|\u{A4}\u{A0}0|,|.|dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-AU||||||||||||dd/MM/y||am|pm||AUD=$ BRL=BRL CAD=CAD CNY=CNY EUR=EUR GBP=GBP HKD=HKD ILS=ILS INR=INR JPY=JPY KRW=KRW MXN=MXN NZD=NZD PHP=PHP SCR=Rs TWD=TWD USD=USD VND=VND XAF=XAF XCD=XCD XOF=XOF XPF=CFP
    en-BB||||||||||||dd/MM/y||am|pm||BBD=$ JPY=JP¥ USD=US$
    en-BE||,|.||||||0\u{A0}\u{A4}|,|.|d/M/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-BI|||||||||||||HH:mm||||BIF=FBu
    en-BM||||||||||||dd/MM/y||am|pm||BMD=$ JPY=JP¥ USD=US$
    en-BS||||||||||||dd/MM/y||am|pm||BSD=$ JPY=JP¥ USD=US$
    en-BW||||||||||||dd/MM/y|HH:mm|am|pm||BWP=P JPY=JP¥ USD=US$
    en-BZ||||||||||||dd/MM/y|HH:mm|am|pm||BZD=$ JPY=JP¥ USD=US$
    en-CA||||||||||||y-MM-dd||a.m.|p.m.||CAD=$ JPY=JP¥ USD=US$
    en-CC||||||||||||dd/MM/y|HH:mm|am|pm||AUD=$ JPY=JP¥ USD=US$
    en-CH|||\u{2019}||||||\u{A4}\u{A0}0;\u{A4}-0||\u{2019}|dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-CK||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ NZD=$ USD=US$
    en-CM||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-CX||||||||||||dd/MM/y|HH:mm|am|pm||AUD=$ JPY=JP¥ USD=US$
    en-CY||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$
    en-DE||,|.|||||0\u{A0}%|0\u{A0}\u{A4}|,|.|dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-DG||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-DK||,|.|||||0\u{A0}%|0\u{A0}\u{A4}|,|.|dd/MM/y|HH.mm|am|pm||DKK=kr. JPY=JP¥ USD=US$
    en-DM||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$ XCD=$
    en-ER||||||||||||dd/MM/y||am|pm||ERN=Nfk JPY=JP¥ USD=US$
    en-FI||,|\u{A0}|||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|dd/MM/y|H.mm|am|pm||JPY=JP¥ USD=US$
    en-FJ||||||||||||dd/MM/y||am|pm||FJD=$ JPY=JP¥ USD=US$
    en-FK||||||||||||dd/MM/y|HH:mm|am|pm||FKP=£ GBP=GB£ JPY=JP¥ USD=US$
    en-FM||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$
    en-GB||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-GD||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$ XCD=$
    en-GG||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-GH||||||||||||dd/MM/y||am|pm||GHS=GH\u{20B5} JPY=JP¥ USD=US$
    en-GI||||||||||||dd/MM/y|HH:mm|am|pm||GBP=GB£ GIP=£ JPY=JP¥ USD=US$
    en-GM||||||||||||dd/MM/y||am|pm||GMD=D JPY=JP¥ USD=US$
    en-GY||||||||||||dd/MM/y||am|pm||GYD=$ JPY=JP¥ USD=US$
    en-HK||||||||||||d/M/y||am|pm||JPY=JP¥ USD=US$
    en-IE||||||||||||d/M/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-IL||||||||||||dd/MM/y|H:mm|am|pm||JPY=JP¥ USD=US$
    en-IM||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-IN|||||||3,2|||||d/M/y||am|pm||JPY=JP¥
    en-IO||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-JE||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-JM||||||||||||dd/MM/y||am|pm||JMD=$ JPY=JP¥ USD=US$
    en-KE||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ KES=Ksh USD=US$
    en-KI||||||||||||dd/MM/y||am|pm||AUD=$ JPY=JP¥ USD=US$
    en-KN||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$ XCD=$
    en-KY||||||||||||dd/MM/y||am|pm||JPY=JP¥ KYD=$ USD=US$
    en-LC||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$ XCD=$
    en-LR||||||||||||dd/MM/y||am|pm||JPY=JP¥ LRD=$ USD=US$
    en-LS||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$ ZAR=R
    en-MG||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ MGA=Ar USD=US$
    en-MO||||||||||||dd/MM/y||am|pm||JPY=JP¥ MOP=MOP$ USD=US$
    en-MS||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$ XCD=$
    en-MT||||||||||||dd/MM/y|HH:mm|am|pm||GBP=GB£ JPY=JP¥ USD=US$
    en-MU||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ MUR=Rs USD=US$
    en-MV|||||||||\u{A4}\u{A0}0|||dd/MM/y|HH:mm|am|pm|{1} {0}|JPY=JP¥ MVR=Rf USD=US$
    en-MW||||||||||||dd/MM/y||am|pm||JPY=JP¥ MWK=MK USD=US$
    en-MY||||||||||||dd/MM/y||am|pm||JPY=JP¥ MYR=RM USD=US$
    en-NA||||||||||||dd/MM/y||am|pm||JPY=JP¥ NAD=$ USD=US$
    en-NF||||||||||||dd/MM/y|HH:mm|am|pm||AUD=$ JPY=JP¥ USD=US$
    en-NG||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ NGN=\u{20A6} USD=US$
    en-NL||,|.||||||\u{A4}\u{A0}0;\u{A4}\u{A0}-0|,|.|dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-NR||||||||||||dd/MM/y|HH:mm|am|pm||AUD=$ JPY=JP¥ USD=US$
    en-NU||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ NZD=$ USD=US$
    en-NZ||||||||||||d/MM/y||am|pm||JPY=JP¥ NZD=$ USD=US$
    en-PG||||||||||||dd/MM/y||am|pm||JPY=JP¥ PGK=K USD=US$
    en-PK||||||||||||dd/MM/y||am|pm||JPY=JP¥ PKR=Rs USD=US$
    en-PN||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ NZD=$ USD=US$
    en-PW||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$
    en-RW||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ RWF=RF USD=US$
    en-SB||||||||||||dd/MM/y||am|pm||JPY=JP¥ SBD=$ USD=US$
    en-SC||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ SCR=SR USD=US$
    en-SD||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$
    en-SE||,|\u{A0}|||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|y-MM-dd|HH:mm|am|pm||JPY=JP¥ SEK=kr USD=US$
    en-SG||||||||||||dd/MM/y||am|pm||JPY=JP¥ SGD=$ USD=US$
    en-SH||||||||||||dd/MM/y|HH:mm|am|pm||GBP=GB£ JPY=JP¥ SHP=£ USD=US$
    en-SI||,|.||||||0\u{A0}\u{A4}|,|.|dd/MM/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    en-SL||||||||||||dd/MM/y||am|pm||JPY=JP¥ SLL=Le USD=US$
    en-SS||||||||||||dd/MM/y||am|pm||GBP=GB£ JPY=JP¥ SSP=£ USD=US$
    en-SX||||||||||||dd/MM/y|HH:mm|am|pm||ANG=NAf. JPY=JP¥ USD=US$
    en-SZ||||||||||||dd/MM/y||am|pm||JPY=JP¥ SZL=E USD=US$
    en-TC||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$
    en-TK||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ NZD=$ USD=US$
    en-TO||||||||||||dd/MM/y||am|pm||JPY=JP¥ TOP=T$ USD=US$
    en-TT||||||||||||dd/MM/y||am|pm||JPY=JP¥ TTD=$ USD=US$
    en-TV||||||||||||dd/MM/y|HH:mm|am|pm||AUD=$ JPY=JP¥ USD=US$
    en-TZ||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ TZS=TSh USD=US$
    en-UG||||||||||||dd/MM/y|HH:mm|am|pm||JPY=JP¥ UGX=USh USD=US$
    en-VC||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$ XCD=$
    en-VG||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$
    en-VU||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$ VUV=VT
    en-WS||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$ WST=WS$
    en-ZA||,|\u{A0}|||||||,|\u{A0}|y/MM/dd|HH:mm|am|pm||JPY=JP¥ USD=US$ ZAR=R
    en-ZM||||||||||||dd/MM/y||am|pm||JPY=JP¥ USD=US$ ZMW=K
    en-ZW||||||||||||d/M/y|HH:mm|am|pm||JPY=JP¥ USD=US$
    es||,|.|||2||0\u{A0}%|0\u{A0}\u{A4}|,|.|d/M/y|H:mm|a.\u{A0}m.|p.\u{A0}m.|{1}, {0}|AUD=AUD BRL=BRL CAD=CAD CNY=CNY GBP=GBP HKD=HKD ILS=ILS INR=INR JPY=JPY KRW=KRW MXN=MXN NZD=NZD PHP=PHP THB=\u{E3F} TWD=TWD XAF=XAF XCD=XCD XOF=XOF
    es-419||.|,|||1|||\u{A4}0|.|,||HH:mm||||EUR=EUR THB=THB USD=USD VND=VND
    es-AR||||||1|||\u{A4}\u{A0}0||||HH:mm||||ARS=$ EUR=EUR THB=THB VND=VND
    es-BO||||||1|||\u{A4}0||||HH:mm||||BOB=Bs EUR=EUR THB=THB USD=USD VND=VND
    es-BR||.|,|||1|||\u{A4}0|.|,||HH:mm||||BRL=R$ EUR=EUR THB=THB USD=USD VND=VND
    es-BZ||.|,|||1|||\u{A4}0|.|,||HH:mm||||BZD=$ EUR=EUR THB=THB USD=USD VND=VND
    es-CL||||||1|||\u{A4}0;\u{A4}-0|||dd-MM-y|HH:mm||||CLP=$ EUR=EUR THB=THB VND=VND
    es-CO||||||1|||\u{A4}\u{A0}0||||h:mm a||||COP=$ EUR=EUR THB=THB VND=VND
    es-CR|||\u{A0}|||1|||\u{A4}0||\u{A0}||HH:mm||||CRC=\u{20A1} EUR=EUR THB=THB USD=USD VND=VND
    es-CU||.|,|||1|||\u{A4}0|.|,||HH:mm||||CUP=$ EUR=EUR THB=THB VND=VND
    es-DO||.|,|||1|||\u{A4}0|.|,||h:mm a||||DOP=RD$ EUR=EUR THB=THB VND=VND
    es-EC||||||1|||\u{A4}0;\u{A4}-0||||HH:mm||||EUR=EUR THB=THB USD=$ VND=VND
    es-GQ|||||||||\u{A4}0||||||||XAF=FCFA
    es-GT||.|,|||1|||\u{A4}0|.|,||HH:mm||||EUR=EUR GTQ=Q THB=THB USD=USD VND=VND
    es-HN||.|,|||1|||\u{A4}0|.|,||HH:mm||||EUR=EUR HNL=L THB=THB USD=USD VND=VND
    es-MX||.|,|||1|||\u{A4}0|.|,||HH:mm||||EUR=EUR MRU=UM MXN=$ THB=THB USD=USD VND=VND
    es-NI||.|,|||1|||\u{A4}0|.|,||HH:mm||||EUR=EUR NIO=C$ THB=THB USD=USD VND=VND
    es-PA||.|,|||1|||\u{A4}0|.|,|MM/dd/y|h:mm a||||EUR=EUR PAB=B/. THB=THB USD=USD VND=VND
    es-PE||.|,|||1|||\u{A4}\u{A0}0|.|,||HH:mm||||EUR=EUR PEN=S/ THB=THB USD=USD VND=VND
    es-PH|||||||||||||h:mm a||||PHP=₱
    es-PR||.|,|||1|||\u{A4}0|.|,|MM/dd/y|h:mm a||||EUR=EUR THB=THB USD=$ VND=VND
    es-PY||||||1|||\u{A4}\u{A0}0;\u{A4}\u{A0}-0||||HH:mm||||EUR=EUR PYG=Gs. THB=THB USD=USD VND=VND
    es-SV||.|,|||1|||\u{A4}0|.|,||HH:mm||||EUR=EUR THB=THB USD=$ VND=VND
    es-US||.|,|||1|||\u{A4}0|.|,||h:mm a||||EUR=EUR JPY=¥ THB=THB USD=$ VND=VND
    es-UY||||||1|||\u{A4}\u{A0}0||||HH:mm||||EUR=EUR THB=THB UYU=$ VND=VND
    es-VE||||||1|||\u{A4}0;\u{A4}-0||||h:mm a||||EUR=EUR THB=THB USD=USD VES=Bs.S VND=VND
    et||,|\u{A0}|\u{2212}||2|||0\u{A0}\u{A4}|,|\u{A0}|d.M.y|||||AUD=AU$ JPY=¥ PHP=PHP THB=\u{E3F} USD=$
    eu||,|.|\u{2212}||||%\u{A0}0|0\u{A0}\u{A4}|,|.|y/M/d|||||PHP=PHP THB=\u{E3F}
    fa|\u{6F0}|\u{66B}|\u{66C}|\u{200E}\u{2212}|\u{66A}||||\u{200E}\u{A4}0|\u{66B}|\u{66C}|y/M/d|H:mm|\u{642}.\u{638}.|\u{628}.\u{638}.|{1}\u{60C}\u{200F} {0}|AFN=\u{60B} CAD=$CA CNY=¥CN HKD=$HK IRR=\u{631}\u{6CC}\u{627}\u{644} JPY=¥ MXN=$MX NZD=$NZ PHP=PHP THB=\u{E3F} USD=$ XCD=$EC XOF=\u{641}\u{631}\u{627}\u{646}\u{6A9}\u{202F}CFA
    fa-AF|||||||||\u{A4}\u{A0}0|||M/d/y
    fi||,|\u{A0}|\u{2212}||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|d.M.y|H.mm|ap.|ip.||AUD=AUD BRL=BRL CAD=CAD CNY=CNY HKD=HKD ILS=ILS INR=INR JPY=¥ KRW=KRW MXN=MXN NZD=NZD PHP=PHP TWD=TWD USD=$ VND=VND XCD=XCD XPF=XPF
    fil|||||||||\u{A4}0|||M/d/y|h:mm a|||{1}, {0}|JPY=¥ THB=\u{E3F} USD=$
    fo||,|.|\u{2212}||||0\u{A0}%|0\u{A0}\u{A4}|,|.|dd.MM.y||||{1}, {0}|DKK=kr PHP=PHP
    fo-DK|||||||||||||||||DKK=kr.
    fr||,|\u{202F}|||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{202F}|dd/MM/y|||||ARS=$AR AUD=$AU BMD=$BM BND=$BN BZD=$BZ CAD=$CA CLP=$CL CNY=CNY COP=$CO FJD=$FJ FKP=£FK GBP=£GB GIP=£GI HKD=HKD JPY=JPY LBP=£LB MXN=$MX NAD=$NA NZD=$NZ PHP=PHP SBD=$SB SGD=$SG SRD=$SR TTD=$TT TWD=TWD USD=$US UYU=$UY WST=$WS XCD=XCD XPF=FCFP
    fr-BI|||||||||||||||||BIF=FBu
    fr-CA|||\u{A0}||||||||\u{A0}|y-MM-dd|HH 'h' mm|a.m.|p.m.||ARS=ARS AUD=$\u{A0}AU BMD=BMD BND=BND BZD=BZD CAD=$ CLP=CLP CNY=CN¥ COP=COP FJD=FJD FKP=FKP GBP=£ GIP=GIP HKD=$\u{A0}HK ILS=ILS INR=INR JPY=¥ KRW=KRW LBP=LBP MXN=MXN NAD=NAD NZD=$\u{A0}NZ SBD=SBD SGD=$\u{A0}SG SRD=SRD TTD=TTD USD=$\u{A0}US UYU=UYU VND=VND WST=WST XAF=XAF XOF=XOF XPF=XPF
    fr-CD|||||||||||||||||CDF=FC
    fr-CH||||||||0%||.||dd.MM.y
    fr-CM||||||||||||||mat.|soir
    fr-DJ|||||||||||||h:mm a||||DJF=Fdj
    fr-DZ|||||||||||||h:mm a||||DZD=DA
    fr-GN|||||||||||||||||GNF=FG
    fr-HT|||||||||||||||||HTG=G
    fr-KM|||||||||||||||||KMF=CF
    fr-LU|||.||||||||.
    fr-MA|||.||||||||.|||a.m.|p.m.
    fr-MG|||||||||||||||||MGA=Ar
    fr-ML||||||||||||||||{1}, {0}
    fr-MR|||||||||||||h:mm a||||MRU=UM
    fr-MU|||||||||||||||||MUR=Rs
    fr-RW|||||||||||||||||RWF=RF
    fr-SC|||||||||||||||||SCR=SR
    fr-SY|||||||||||||h:mm a||||SYP=LS
    fr-TD|||||||||||||h:mm a
    fr-TN|||||||||||||h:mm a||||TND=DT
    fr-VU|||||||||||||h:mm a||||VUV=VT
    ga|||||||||\u{A4}0|||dd/MM/y||r.n.|i.n.||JPY=¥ THB=\u{E3F} USD=$
    gd|||||||||\u{A4}0|||d/M/y||m|f||PHP=PHP THB=\u{E3F} USD=$
    gl||,|.|||||0\u{A0}%|0\u{A0}\u{A4}|,|.|d/M/y||a.m.|p.m.|{0}, {1}|MXN=$MX PHP=PHP THB=\u{E3F} USD=$ XCD=XCD
    gu|||||||3,2||\u{A4}0|||d/M/y|hh:mm a||||PHP=PHP THB=\u{E3F}
    ha||||||||||||||SF|YM|{1}, {0}|JPY=¥ NGN=\u{20A6} USD=$
    ha-GH|||||||||||||h:mm a||||GHS=GH\u{20B5}
    he||||\u{200E}-|||||\u{200F}0\u{A0}\u{A4};\u{200F}-0\u{A0}\u{A4}|||d.M.y|H:mm|\u{5DC}\u{5E4}\u{5E0}\u{5D4}\u{5F4}\u{5E6}|\u{5D0}\u{5D7}\u{5D4}\u{5F4}\u{5E6}|{1}, {0}|CNY=\u{200E}CN¥\u{200E} JPY=¥ PHP=PHP THB=\u{E3F} USD=$
    hi|||||||3,2||\u{A4}0|||d/M/y|h:mm a|am|pm|{1}, {0}|PHP=PHP THB=\u{E3F} USD=$
    hi-Latn||||||||||||||AM|PM|{1} {0}|PHP=₱ THB=THB
    hr||,|.|\u{2212}||||0\u{A0}%|0\u{A0}\u{A4}|,|.|dd. MM. y.|||||AUD=AUD BRL=BRL CAD=CAD CNY=CNY EUR=EUR GBP=GBP HKD=HKD HRK=kn ILS=ILS INR=INR JPY=JPY KRW=KRW MXN=MXN NZD=NZD PHP=PHP TWD=TWD USD=USD VND=VND XCD=XCD XPF=XPF
    hr-BA|||||||||||||||||BAM=KM
    hsb||,|.|||||0\u{A0}%|0\u{A0}\u{A4}|,|.|d.M.y|H:mm 'hodź'.|dopołdnja|popołdnju||AUD=AUD JPY=¥ PLN=zł THB=\u{E3F} USD=$
    hu||,|\u{A0}||||||0\u{A0}\u{A4}|,|\u{A0}|y. MM. dd.|H:mm|de.|du.||AUD=AUD BRL=BRL CAD=CAD CNY=CNY EUR=EUR GBP=GBP HKD=HKD HUF=Ft ILS=ILS INR=INR JPY=¥ KRW=KRW MXN=MXN NZD=NZD PHP=PHP TWD=TWD USD=USD VND=VND XCD=XCD
    hy||,|\u{A0}||||||0\u{A0}\u{A4}|,|\u{A0}|dd.MM.y||||{1}, {0}|AMD=\u{58F} PHP=PHP THB=\u{E3F} USD=$
    id||,|.||||||\u{A4}0|,|.|d/M/y|HH.mm||||AUD=AU$ IDR=Rp INR=Rs PHP=PHP THB=\u{E3F}
    ig|||||||||\u{A4}0|||d/M/y||A.M.|P.M.|{1}, {0}|JPY=¥ NGN=\u{20A6} USD=$
    is||,|.||||||0\u{A0}\u{A4}|,|.|d.M.y||f.h.|e.h.|{1}, {0}|AUD=AUD BRL=BRL CAD=CAD EUR=EUR GBP=GBP INR=INR KRW=KRW MXN=MXN NZD=NZD PHP=PHP TWD=TWD USD=USD VND=VND
    it||,|.||||||0\u{A0}\u{A4}|,|.|d/M/y||||{1}, {0}|BRL=BRL HKD=HKD INR=INR JPY=JPY KRW=KRW MXN=MXN THB=\u{E3F} TWD=TWD USD=USD VND=VND
    it-CH||.|\u{2019}||||||\u{A4}\u{A0}0;\u{A4}-0|.|\u{2019}
    ja|||||||||\u{A4}0|||y/M/d|H:mm|午前|午後||CNY=元 JPY=\u{FFE5} PHP=PHP USD=$
    jv||,|.|||||||,|.|dd-MM-y||Isuk|Wengi|{1}, {0}|IDR=Rp
    ka||,|\u{A0}|||2|||0\u{A0}\u{A4}|,|\u{A0}|d.M.y||||{1}, {0}|AUD=AUD CNY=CNY GEL=\u{20BE} HKD=HKD ILS=ILS INR=INR JPY=JPY KRW=KRW NZD=NZD PHP=PHP VND=VND
    kgp||,|.|||||||,|.|dd/MM/y|||||AUD=AU$ FJD=FJC PHP=PHP THB=\u{E3F} XOF=CFA
    kk||,|\u{A0}||||||0\u{A0}\u{A4}|,|\u{A0}|dd.MM.y||||{1}, {0}|KZT=\u{20B8} LSL=\u{41B}\u{421}\u{41B} PHP=PHP RUB=\u{20BD} THB=\u{E3F} USD=$
    km||,|.||||||0\u{A4}|,|.|d/M/y|h:mm a|||{1}, {0}|KHR=\u{17DB} LSL=\u{17A1}\u{17BC}\u{1791}\u{17B8} PHP=PHP THB=\u{E3F} USD=$
    kn|||||||||\u{A4}0|||d/M/y|hh:mm a|\u{CAA}\u{CC2}\u{CB0}\u{CCD}\u{CB5}\u{CBE}\u{CB9}\u{CCD}\u{CA8}|\u{C85}\u{CAA}\u{CB0}\u{CBE}\u{CB9}\u{CCD}\u{CA8}||PHP=PHP THB=\u{E3F} USD=$
    ko|||||||||\u{A4}0|||y. M. d.|a h:mm|오전|오후||AUD=AU$ PHP=PHP
    kok||||||||||||d-M-y|h:mm a||||PHP=PHP RON=\u{930}\u{949}\u{928}
    ky||,|\u{A0}||||||0\u{A0}\u{A4}|,|\u{A0}|||\u{442}\u{4A3}|\u{442}\u{43A}||AUD=AUD BRL=BRL CAD=CAD GBP=GBP HKD=HKD ILS=ILS INR=INR KGS=\u{441}\u{43E}\u{43C} KRW=KRW MXN=MXN NZD=NZD PHP=PHP THB=\u{E3F} TWD=TWD USD=USD XCD=XCD
    lo||,|.||||||\u{A4}0;\u{A4}-0|,|.|d/M/y|H:mm|\u{E81}\u{EC8}\u{EAD}\u{E99}\u{E97}\u{EC8}\u{EBD}\u{E87}|\u{EAB}\u{EBC}\u{EB1}\u{E87}\u{E97}\u{EC8}\u{EBD}\u{E87}|{1}, {0}|LAK=\u{20AD} PHP=PHP THB=\u{E3F}
    lt||,|\u{A0}|\u{2212}||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|||priešpiet|popiet||AUD=AUD BRL=BRL CAD=CAD CNY=CNY GBP=GBP HKD=HKD ILS=ILS INR=INR JPY=JPY KRW=KRW MXN=MXN NZD=NZD PHP=PHP TWD=TWD USD=USD VND=VND XAF=XAF XCD=XCD XOF=XOF XPF=XPF
    lv||,|\u{A0}|||2|||0\u{A0}\u{A4}|,|\u{A0}|d.MM.y.||priekšp.|pēcp.||AUD=AU$ JPY=¥ PHP=PHP THB=\u{E3F} USD=$
    mk||,|.|||||0\u{A0}%|0\u{A0}\u{A4}|,|.|d.M.y||\u{43F}\u{440}\u{435}\u{442}\u{43F}\u{43B}.|\u{43F}\u{43E}\u{43F}\u{43B}.|{1}, '\u{432}\u{43E}' {0}|AUD=AUD CNY=CNY GBP=GBP HKD=HKD ILS=ILS INR=INR JPY=JPY KRW=KRW MKD=\u{434}\u{435}\u{43D}. NZD=NZD PHP=PHP TWD=TWD VND=VND
    ml|||||||3,2||\u{A4}0|||d/M/y|h:mm a||||JPY=¥ PHP=PHP THB=\u{E3F} USD=$
    mn||||||||||||y.MM.dd||\u{4AF}.\u{4E9}.|\u{4AF}.\u{445}.||MNT=\u{20AE} PHP=PHP THB=\u{E3F} USD=$
    mr|\u{966}||||||3,2||\u{A4}0|||d/M/y|h:mm a|||{1}, {0}|PHP=PHP THB=\u{E3F} USD=$
    ms|||||||||\u{A4}0|||d/M/y|h:mm a|PG|PTG|{1}, {0}|CAD=CAD MXN=MXN MYR=RM PHP=PHP USD=USD
    ms-BN||,|.||||||\u{A4}\u{A0}0|,|.||||||BND=$
    ms-ID||,|.|||||||,|.||HH.mm||||IDR=Rp
    ms-SG|||||||||||||||||SGD=$
    my|\u{1040}||||||||0\u{A0}\u{A4}|||dd-MM-y|H:mm|\u{1014}\u{1036}\u{1014}\u{1000}\u{103A}|\u{100A}\u{1014}\u{1031}||ANG=NAf AWG=Afl HTG=G MMK=K PAB=B/. PHP=PHP THB=\u{E3F} TTD=TT$
    ne|\u{966}||||||3,2|||||||\u{92A}\u{942}\u{930}\u{94D}\u{935}\u{93E}\u{939}\u{94D}\u{928}|\u{905}\u{92A}\u{930}\u{93E}\u{939}\u{94D}\u{928}|{1}, {0}|NPR=\u{928}\u{947}\u{930}\u{942} PHP=PHP THB=\u{E3F}
    ne-IN|||||||||||||h:mm a
    nl||,|.||||||\u{A4}\u{A0}0;\u{A4}\u{A0}-0|,|.|d-M-y||a.m.|p.m.||AUD=AU$ CAD=C$ FJD=FJ$ PHP=PHP SBD=SI$ THB=\u{E3F} XPF=XPF
    nl-AW|||||||||||||||||AWG=Afl.
    nl-BE||||||||||||d/M/y
    nl-BQ|||||||||||||||||USD=$
    nl-CW|||||||||||||||||ANG=NAf.
    nl-SR|||||||||||||||||SRD=$
    nl-SX|||||||||||||||||ANG=NAf.
    nn||,|\u{A0}|\u{2212}||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|d.M.y||f.m.|e.m.|{1}, {0}|AUD=AUD BRL=BRL CAD=CAD CNY=CNY GBP=GBP HKD=HKD ILS=ILS INR=INR JPY=JPY KRW=KRW MXN=MXN NOK=kr NZD=NZD PHP=PHP TWD=TWD USD=USD VND=VND XAF=XAF XCD=XCD XPF=XPF
    no||,|\u{A0}|\u{2212}||||0\u{A0}%|\u{A4}\u{A0}0;\u{A4}\u{A0}-0|,|\u{A0}|d.M.y||a.m.|p.m.|{1}, {0}|AUD=AUD BRL=BRL CAD=CAD CNY=CNY HKD=HKD ILS=ILS INR=INR JPY=JPY KRW=KRW MXN=MXN NOK=kr NZD=NZD PHP=PHP TWD=TWD USD=USD VND=VND XAF=XAF XCD=XCD XPF=XPF
    or|||||||3,2||\u{A4}0|||M/d/y|h:mm a|||{1}, {0}|JPY=¥ PHP=PHP USD=$
    pa|||||||3,2|||||d/M/y|h:mm a|\u{A2A}\u{A42}.\u{A26}\u{A41}.|\u{A2C}\u{A3E}.\u{A26}\u{A41}.|{1}, {0}|PHP=PHP THB=\u{E3F}
    pa-Arab|\u{6F0}|\u{66B}|\u{66C}|\u{200E}-\u{200E}|\u{66A}||3|||\u{66B}|\u{66C}|y-MM-dd||AM|PM|{1} {0}|PHP=₱ PKR=\u{631} THB=THB
    pa-PK|\u{6F0}|\u{66B}|\u{66C}|\u{200E}-\u{200E}|\u{66A}||3|||\u{66B}|\u{66C}|y-MM-dd||AM|PM|{1} {0}|PHP=₱ PKR=\u{631} THB=THB
    pcm|||||||||\u{A4}0|||d/M/y||F\u{1ECD} m\u{1ECD}\u{301}nin|F\u{1ECD} ívnin||CAD=KA$ NGN=\u{20A6} PHP=PHP
    pl||,|\u{A0}|||2|||0\u{A0}\u{A4}|,|\u{A0}|d.MM.y||||{1}, {0}|AUD=AUD CAD=CAD CNY=CNY GBP=GBP HKD=HKD ILS=ILS INR=INR JPY=JPY KRW=KRW MXN=MXN NZD=NZD PHP=PHP PLN=zł TWD=TWD USD=USD VND=VND
    ps|\u{6F0}|\u{66B}|\u{66C}|\u{200E}-\u{200E}|\u{66A}||||0\u{A0}\u{A4}|\u{66B}|\u{66C}||H:mm|\u{63A}.\u{645}.|\u{63A}.\u{648}.||AFN=\u{60B} USD=$
    ps-PK|||||||||||||h:mm a||||PKR=Rs
    pt||,|.|||||||,|.|dd/MM/y|||||AUD=AU$ PHP=PHP THB=\u{E3F}
    pt-AO|||\u{A0}||||||0\u{A0}\u{A4}||\u{A0}|||a.m.|p.m.|{1}, {0}|AOA=Kz
    pt-CH|||\u{A0}|||2|||0\u{A0}\u{A4}||\u{A0}|||a.m.|p.m.|{1}, {0}
    pt-CV|||\u{A0}|||2|||0\u{A0}\u{A4}||\u{A0}|||a.m.|p.m.|{1}, {0}|CVE=\u{200B}
    pt-GQ|||\u{A0}|||2|||0\u{A0}\u{A4}||\u{A0}|||a.m.|p.m.|{1}, {0}
    pt-GW|||\u{A0}|||2|||0\u{A0}\u{A4}||\u{A0}|||a.m.|p.m.|{1}, {0}
    pt-LU|||\u{A0}|||2|||0\u{A0}\u{A4}||\u{A0}|||a.m.|p.m.|{1}, {0}
    pt-MO|||\u{A0}|||2|||0\u{A0}\u{A4}||\u{A0}||h:mm a|a.m.|p.m.|{1}, {0}|MOP=MOP$
    pt-MZ|||\u{A0}|||2|||0\u{A0}\u{A4}||\u{A0}|||a.m.|p.m.|{1}, {0}|MZN=MTn
    pt-PT|||\u{A0}|||2|||0\u{A0}\u{A4}||\u{A0}|||a.m.|p.m.|{1}, {0}
    pt-ST|||\u{A0}|||2|||0\u{A0}\u{A4}||\u{A0}|||a.m.|p.m.|{1}, {0}|STN=Db
    pt-TL|||\u{A0}|||2|||0\u{A0}\u{A4}||\u{A0}|||a.m.|p.m.|{1}, {0}
    qu||||||||0\u{A0}%||||dd-MM-y||a.m.|p.m.||BBD=BBG BMD=DBM BZD=DBZ CAD=$CA PEN=S/ PHP=PHP USD=$US
    qu-BO||,|.|||||||,|.||||||BOB=Bs PEN=PEN
    qu-EC|||||||||||||||||PEN=PEN USD=$
    ro||,|.|||||0\u{A0}%|0\u{A0}\u{A4}|,|.|dd.MM.y||a.m.|p.m.|{1}, {0}|AUD=AUD BRL=BRL CAD=CAD CNY=CNY EUR=EUR GBP=GBP HKD=HKD ILS=ILS INR=INR JPY=JPY KRW=KRW MXN=MXN NZD=NZD PHP=PHP TWD=TWD USD=USD VND=VND XCD=XCD
    ro-MD|||||||||||||||||MDL=L
    ru||,|\u{A0}|||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|dd.MM.y||||{1}, {0}|JPY=¥ PHP=PHP RUB=\u{20BD} THB=\u{E3F} TMT=\u{422}\u{41C}\u{422} UAH=\u{20B4} USD=$
    ru-BY|||||||||||||||||BYN=Br
    ru-KG|||||||||||||||||KGS=\u{441}\u{43E}\u{43C}
    ru-KZ|||||||||||||||||KZT=\u{20B8}
    ru-MD|||||||||||||||||MDL=L
    ru-UA||||||2
    sc||,|.||||||0\u{A0}\u{A4}|,|.|d/M/y||||{1}, {0}
    sd|\u{660}|\u{66B}|\u{66C}|\u{61C}-|\u{66A}\u{61C}||||0\u{A0}\u{A4}|\u{66B}|\u{66C}||h:mm a|\u{635}\u{628}\u{62D}\u{60C} \u{645}\u{646}\u{62C}\u{647}\u{646}\u{62F}|\u{634}\u{627}\u{645}\u{60C} \u{645}\u{646}\u{62C}\u{647}\u{646}\u{62F}||PHP=PHP PKR=Rs
    sd-Deva|0|.|,|-|%||||\u{A4}\u{A0}0|.|,|M/d/y||\u{92E}\u{902}\u{91D}\u{902}\u{926}\u{93F} \u{916}\u{93E}\u{902} \u{92A}\u{939}\u{93F}\u{902}\u{930}\u{93F}\u{92F}\u{94B}\u{902}|\u{92E}\u{902}\u{91D}\u{902}\u{926}\u{93F} \u{916}\u{93E}\u{902} \u{92A}\u{94B}\u{907}|{1}, {0}|JPY=¥ PHP=₱ PKR=PKR USD=$
    sd-IN|0|.|,|-|%||||\u{A4}\u{A0}0|.|,|M/d/y||\u{92E}\u{902}\u{91D}\u{902}\u{926}\u{93F} \u{916}\u{93E}\u{902} \u{92A}\u{939}\u{93F}\u{902}\u{930}\u{93F}\u{92F}\u{94B}\u{902}|\u{92E}\u{902}\u{91D}\u{902}\u{926}\u{93F} \u{916}\u{93E}\u{902} \u{92A}\u{94B}\u{907}|{1}, {0}|JPY=¥ PHP=₱ PKR=PKR USD=$
    si|||||||||\u{A4}0|||y-M-d|HH.mm|\u{DB4}\u{DD9}.\u{DC0}.|\u{DB4}.\u{DC0}.||LKR=\u{DBB}\u{DD4}. PHP=PHP THB=\u{E3F} XOF=\u{DC3}\u{DD2}\u{DC6}\u{DCA}\u{D91}
    sk||,|\u{A0}|||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|d. M. y|H:mm||||AUD=AUD BRL=BRL CAD=CAD CNY=CNY GBP=GBP HKD=HKD ILS=NIS INR=INR JPY=JPY KRW=KRW NZD=NZD PHP=PHP TWD=TWD USD=USD VND=VND
    sl||,|.|\u{2212}||||0\u{A0}%|0\u{A0}\u{A4}|,|.|d. M. y||dop.|pop.|{1}, {0}|AUD=AUD BRL=BRL CAD=CAD GBP=GBP JPY=¥ MXN=MXN NZD=NZD PHP=PHP TWD=TWD USD=$ XCD=XCD
    so|||||||||\u{A4}0|||M/d/y|h:mm a|GH|GD||BBD=DBB SOS=S
    so-DJ|||||||||||||||||DJF=Fdj
    so-ET|||||||||||||||||ETB=Br
    so-KE|||||||||||||HH:mm||||KES=Ksh
    sq||,|\u{A0}|||2|||0\u{A0}\u{A4}|,|\u{A0}|d.M.y|h:mm a|p.d.|m.d.|{1}, {0}|ALL=Lekë BRL=BRL PHP=PHP THB=\u{E3F}
    sq-MK|||||||||||||HH:mm||||MKD=den
    sq-XK|||||||||||||HH:mm
    sr||,|.||||||0\u{A0}\u{A4}|,|.|d.M.y.|||||AUD=AUD BAM=\u{41A}\u{41C} JPY=¥ KRW=KRW NZD=NZD PHP=PHP VND=VND
    sr-Cyrl-BA||||||||||||||\u{43F}\u{440}\u{438}\u{458}\u{435} \u{43F}\u{43E}\u{434}\u{43D}\u{435}|\u{43F}\u{43E} \u{43F}\u{43E}\u{434}\u{43D}\u{435}
    sr-Cyrl-ME||||||||||||||\u{43F}\u{440}\u{438}\u{458}\u{435} \u{43F}\u{43E}\u{434}\u{43D}\u{435}|\u{43F}\u{43E} \u{43F}\u{43E}\u{434}\u{43D}\u{435}
    sr-Latn|||||||||||||||||BAM=KM
    sr-Latn-BA||||||||||||||prije podne|po podne
    sr-Latn-ME||||||||||||||prije podne|po podne
    sr-ME||||||||||||||prije podne|po podne||BAM=KM
    sv||,|\u{A0}|\u{2212}||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|||fm|em||AUD=AUD BBD=Bds$ BMD=BM$ BRL=BR$ BSD=BS$ BZD=BZ$ CNY=CNY DKK=Dkr DOP=RD$ EGP=EG£ GBP=GBP HKD=HKD INR=INR ISK=Ikr JMD=JM$ JPY=JPY KRW=KRW NOK=Nkr NZD=NZD PHP=PHP SEK=kr TWD=TWD VND=VND
    sw||||||||||||d/M/y|||||KES=Ksh PHP=PHP THB=\u{E3F} TZS=TSh
    sw-CD||,|.|||||||,|.||||||CDF=FC
    sw-KE|||||||||||||||||USD=$
    sw-UG|||||||||||||||||UGX=USh
    ta|||||||3,2|||||d/M/y|a h:mm|\u{BAE}\u{BC1}\u{BB1}\u{BCD}\u{BAA}\u{B95}\u{BB2}\u{BCD}|\u{BAA}\u{BBF}\u{BB1}\u{BCD}\u{BAA}\u{B95}\u{BB2}\u{BCD}|{1}, {0}|JPY=¥ PHP=PHP THB=\u{E3F} USD=$
    ta-LK|||||||||||||HH:mm||||LKR=Rs.
    ta-MY|||||||3||||||||||MYR=RM SGD=S$
    ta-SG|||||||3||||||||||MYR=RM SGD=$ USD=US$
    te|||||||3,2||\u{A4}0|||d/M/y|h:mm a||||PHP=PHP THB=\u{E3F} USD=$
    th|||||||||\u{A4}0|||d/M/y||\u{E01}\u{E48}\u{E2D}\u{E19}\u{E40}\u{E17}\u{E35}\u{E48}\u{E22}\u{E07}|\u{E2B}\u{E25}\u{E31}\u{E07}\u{E40}\u{E17}\u{E35}\u{E48}\u{E22}\u{E07}||AUD=AU$ JPY=¥ PHP=PHP THB=\u{E3F}
    tk||,|\u{A0}|||||0\u{A0}%|0\u{A0}\u{A4}|,|\u{A0}|dd.MM.y||go.öň|go.soň||EUR=EUR GBP=GBP PHP=PHP
    tr||,|.|||||%0|\u{A4}0|,|.|dd.MM.y||ÖÖ|ÖS||AUD=AU$ JPY=¥ PHP=PHP THB=\u{E3F} TRY=\u{20BA} USD=$
    tr-CY|||||||||||||h:mm a
    uk||,|\u{A0}||||||0\u{A0}\u{A4}|,|\u{A0}|dd.MM.y||\u{434}\u{43F}|\u{43F}\u{43F}|{1}, {0}|AUD=AUD BRL=BRL CAD=CAD CNY=CNY EUR=EUR GBP=GBP HKD=HKD ILS=ILS INR=INR JPY=¥ KRW=KRW MXN=MXN NZD=NZD PHP=PHP TWD=TWD UAH=\u{20B4} USD=USD VND=VND XCD=XCD
    ur||||\u{200E}-||||||||d/M/y|h:mm a||||PHP=PHP PKR=Rs THB=\u{E3F} USD=$
    ur-IN|\u{6F0}|\u{66B}|\u{66C}|\u{200E}-\u{200E}||||||\u{66B}|\u{66C}||||||PKR=PKR
    uz||,|\u{A0}||||||0\u{A0}\u{A4}|,|\u{A0}|dd/MM/y||TO|TK|{1}, {0}|PHP=PHP UZS=so\u{2BB}m
    uz-AF|\u{6F0}|\u{66B}|\u{66C}|\u{200E}-\u{200E}|\u{66A}|||||\u{66B}|\u{66C}|y-MM-dd|H:mm|AM|PM|{1} {0}|AFN=\u{60B} PHP=₱ UZS=UZS
    uz-Arab|\u{6F0}|\u{66B}|\u{66C}|\u{200E}-\u{200E}|\u{66A}|||||\u{66B}|\u{66C}|y-MM-dd|H:mm|AM|PM|{1} {0}|AFN=\u{60B} PHP=₱ UZS=UZS
    uz-Cyrl||||||||||||||\u{422}\u{41E}|\u{422}\u{41A}|{1} {0}|PHP=₱ THB=\u{E3F} UZS=\u{441}\u{45E}\u{43C}
    vi||,|.||||||0\u{A0}\u{A4}|,|.|d/M/y||SA|CH|{0}, {1}|AUD=AU$ JPY=¥ PHP=PHP THB=\u{E3F}
    yo|||||||||\u{A4}0|||d/M/y|H:m|Àár\u{1ECD}\u{300}|\u{1ECC}\u{300}sán||NGN=\u{20A6} RUB=\u{20BD} USD=$
    yo-BJ||||||||||||||Àár\u{254}\u{300}|Ɔ\u{300}sán
    yrl||,|.|||||||,|.|dd/MM/y|||||AUD=AU$ BOB=BUB COP=$ PHP=PHP SCR=SCRu THB=\u{E3F} VES=Bs.S XAF=FCF XOF=CFA XPF=CFP
    yrl-CO|||||||||||||h:mm a|a.\u{A0}m.|p.\u{A0}m.
    yrl-VE|||||||||||||h:mm a|a.\u{A0}m.|p.\u{A0}m.
    yue|||||||||\u{A4}0|||y/M/d|ah:mm|上午|下午||AUD=AU$ JPY=¥ KRW=\u{FFE6} PHP=PHP
    yue-CN|||||||||||||HH:mm||||CNY=\u{FFE5} JPY=JP¥
    yue-Hans|||||||||||||HH:mm||||CNY=\u{FFE5} JPY=JP¥
    zh|||||||||\u{A4}0|||y/M/d||上午|下午||AUD=AU$ CNY=¥ KRW=\u{FFE6} PHP=PHP
    zh-HK||||||||||||d/M/y|ah:mm||||CNY=CN¥ JPY=¥ KRW=₩
    zh-Hans-HK||||||||||||d/M/y|ah:mm||||CNY=CN¥
    zh-Hans-MO||||||||||||y年M月d日|ah:mm||||CNY=CN¥ MOP=MOP$
    zh-Hans-SG||||||||||||y年M月d日|ah:mm||||CNY=CN¥ SGD=$
    zh-Hant|||||||||||||ah:mm||||CNY=CN¥ JPY=¥ TWD=$
    zh-Hant-HK||||||||||||d/M/y|||||KRW=₩ TWD=NT$
    zh-Hant-MO||||||||||||d/M/y|||||KRW=₩ MOP=MOP$ TWD=NT$
    zh-MO||||||||||||d/M/y|ah:mm||||CNY=CN¥ JPY=¥ KRW=₩ MOP=MOP$
    zh-TW|||||||||||||ah:mm||||CNY=CN¥ JPY=¥ TWD=$
    zu|||||||||\u{A4}0||||||||PHP=PHP THB=\u{E3F} USD=$ ZAR=R
    """

  /// The short signs of currencies, which several currencies may share.
  static let narrowSymbols = """
    AFN=\u{60B} AMD=\u{58F} AOA=Kz ARS=$ AUD=$ AZN=\u{20BC} BAM=KM BBD=$ BDT=\u{9F3} BMD=$ BND=$ BOB=Bs BRL=R$ BSD=$ BWP=P BZD=$ CAD=$ CLP=$ CNY=¥ COP=$ CRC=\u{20A1} CUC=$ CUP=$ CZK=Kč DKK=kr DOP=$ EGP=E£ EUR=€ FJD=$ FKP=£ GBP=£ GEL=\u{20BE} GHS=GH\u{20B5} GIP=£ GNF=FG GTQ=Q GYD=$ HKD=$ HNL=L HRK=kn HUF=Ft IDR=Rp ILS=₪ INR=₹ ISK=kr JMD=$ JPY=¥ KHR=\u{17DB} KMF=CF KPW=₩ KRW=₩ KYD=$ KZT=\u{20B8} LAK=\u{20AD} LBP=L£ LKR=Rs LRD=$ MGA=Ar MMK=K MNT=\u{20AE} MUR=Rs MXN=$ MYR=RM NAD=$ NGN=\u{20A6} NIO=C$ NOK=kr NPR=Rs NZD=$ PHP=₱ PKR=Rs PLN=zł PYG=\u{20B2} RON=lei RUB=\u{20BD} RWF=RF SBD=$ SEK=kr SGD=$ SHP=£ SRD=$ SSP=£ STN=Db SYP=£ THB=\u{E3F} TOP=T$ TRY=\u{20BA} TTD=$ TWD=$ UAH=\u{20B4} USD=$ UYU=$ VND=₫ XCD=$ ZAR=R ZMW=ZK
    """

  /// The digits behind the decimal separator of amounts, by currency, if there are not two.
  static let fractionDigits = """
    AFN=0 ALL=0 BHD=3 BIF=0 CLP=0 DJF=0 GNF=0 IQD=0 IRR=0 ISK=0 JOD=3 JPY=0 KMF=0 KPW=0 KRW=0 KWD=3 LAK=0 LBP=0 LYD=3 MGA=0 MMK=0 OMR=3 PYG=0 RSD=0 RWF=0 SLL=0 SOS=0 SYP=0 TND=3 UGX=0 VND=0 VUV=0 XAF=0 XOF=0 XPF=0 YER=0
    """

  /// The currencies in use, by their codes of ISO 4217.
  static let currencies = """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLL SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW
    """
}
