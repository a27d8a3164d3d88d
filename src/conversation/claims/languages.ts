// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The words by which somebody claims to have done something, by language, in small letters without accents.

/** Alternatives of a pattern, parted by "|". */
export type Language = {
  /** "I have", up to the verb. */
  me: string;
  /** Verbs that say by their form alone who did it; they begin a sentence. */
  past?: string;
  /** Verbs that carry words outside: "sent". */
  sending: string;
  /** Verbs that reach outside by themselves: "booked". */
  reaching: string;
  /** Verbs that do so only with something outside: "added" to a calendar, not to a text. */
  making: string;
  /** Verbs that end something: of a file or a mail they reach outside too, and of "it". */
  ending: string;
  it: string;
  /** What is outside of a talk. */
  things: string;
  /** What is outside, unless code in the answer is meant by it. */
  files: string;
  /** What is outside when it is sent, ends or moves; a new or changed one is a text in the answer. */
  letters: string;
  /** "I looked at" and at what. */
  looked: string;
  seen: string;
  /** "has been", and the shorter "is", which says so only after "done". */
  been: string;
  is: string;
  states: string;
  /** "Done." */
  done: string;
  /** No claim, wherever it stands: not, yesterday. */
  not: string;
  /** No claim when it stands before one: if, would, said. */
  unreal: string;
  /** Work on a text, which stands in the answer itself. */
  text: string;
};

const english: Language = {
  me: "i(?:'ve| have)?(?: (?:just|now|already|also|successfully|went ahead and|gone ahead and))*",
  sending:
    "sent|e-?mailed|texted|messaged|forwarded|replied to|posted|uploaded|notified|submitted|answered the (?:mail|call)|invited",
  reaching:
    "booked|reserved|scheduled|rescheduled|downloaded|installed|uninstalled|restarted|rebooted|(?:turned|switched) (?:[a-z]+ ){0,4}?(?:on|off|up|down)|paid|transferred|printed|unsubscribed|muted|unlocked|locked|purchased|bought|dimmed|backed up|accepted|declined|refunded|paused|skipped|played(?! with)|made a note",
  making:
    "added|created|made|set|put|updated|changed|moved|saved|removed|noted|marked|logged|opened|closed|started|stopped|registered|recorded|entered|adjusted|lowered|raised|reduced|increased|cleared|placed|ordered|blocked|emptied|assigned|snoozed|activated|enabled|disabled|filed",
  ending: "deleted|cancell?ed|renamed|archived|moved|removed|trashed|shared|marked",
  it: "it|that|them|this",
  things:
    "calendars?|agenda|reminders?|alarms?|timers?|events?|appointments?|meetings?|your notes|a note|(?:shopping|grocery|to-?do|task|watch|packing) list|your list|contacts?|address book|tasks?|tickets?|playlist|lights?|lamps?|thermostat|heating|volume|brightness|blinds|doors?|backups?|subscription|booking|reservation|flight|containers?|taxi|pizza|issue in|your room|your seat|your table|your order|your ticket",
  files: "files?(?! names?)|folders?(?! names?)|photos?|songs?",
  letters: "e-?mails?|mails?|messages?|inbox",
  looked:
    "checked|(?:had|taken) a look (?:at|in|into|through)|looked (?:at|in|into|through|up|over|around)|searched|gone through|went through|consulted|browsed|scanned",
  seen: "calendar|agenda|schedule|inbox|e-?mails|mails|mailbox|your notes|files|folders?|contacts|messages|web|internet|online|system|logs|disk|weather|forecast|balance|accounts?",
  been: "(?:has|have) (?:now |just |already |successfully )*been(?: successfully)?|(?:is|are) now|(?:was|were) successfully|(?:was|were)(?= [a-z]+ successfully)",
  is: "is|are",
  states:
    "set|sent|booked|scheduled|added|created|deleted|saved|moved|cancell?ed|rescheduled|updated|turned (?:on|off)|switched (?:on|off)|on|off|locked|unlocked|paused|forwarded|archived|printed|placed|reserved|renamed|shared|restored|uploaded|downloaded|installed|paid|confirmed|accepted|declined",
  done: "done|all set|all done|got it|okay|ok|sure|great|alright|perfect|success|no problem|certainly|of course",
  not: "not|never|no|cannot|[a-z]+n't|earlier|previously|yesterday|ago|in (?:1[0-9]|20)[0-9][0-9]",
  unreal:
    "if|once|when|whenever|whether|after|unless|until|would|could|should|might|may|will|pretend|imagine|suppose|said|says|say|saying|phrase|means?|write|assume|assuming|let's",
  text: "below|above|following|follows|draft|text|paragraphs?|sentences?|sections?|code|functions?|scripts?|examples?|versions?|words?|comments?|columns?|rows?|bullets?|headings?|outline|summary|translation|poem|story|essay|letter|variables?|tone|spelling|grammar|title|class|method|line|plan|as a table|(?<!(?:booked|reserved) )the table|names|wording|greeting",
};

const italian: Language = {
  me: "(?:l')?ho(?: (?:appena|gia|anche|subito|ora))*",
  sending: "inviato|inviata|mandato|mandata|spedito|inoltrato",
  reaching:
    "prenotato|prenotata|acceso|accesa|accese|spento|spenta|spente|scaricato|installato|stampato|riavviato|pagato|fissato",
  making:
    "aggiunto|aggiunta|impostato|impostata|creato|creata|salvato|messo|segnato|annotato|spostato|inserito|inserita|aggiornato|programmato|modificato|alzato|abbassato|regolato",
  ending: "cancellato|cancellata|eliminato|eliminata|rinominato|archiviato|annullato|spostato",
  it: "lo|la",
  things:
    "calendario|agenda|promemoria|sveglia|timer|evento|appuntamento|riunione|una nota|(?:tue|nelle) note|lista della spesa|tua lista|lista delle cose|rubrica|contatto|playlist|luci?|luce|termostato|riscaldamento|volume|tapparelle",
  files: "file|cartella|foto",
  letters: "e-?mail|mail|messaggio|messaggi",
  looked: "controllato|guardato|cercato|consultato|verificato",
  seen: "calendario|agenda|posta|e-?mail|tue note|file|web|internet|rete|online|rubrica|meteo",
  been: "(?:e|sono) stat[oaie](?: gia)?|(?:e|sono) (?:ora|adesso)",
  is: "e|sono",
  states:
    "inviat[oaie]|mandat[oaie]|impostat[oaie]|aggiunt[oaie]|creat[oaie]|cancellat[oaie]|eliminat[oaie]|salvat[oaie]|prenotat[oaie]|fissat[oaie]|spostat[oaie]|annullat[oaie]|spent[oaie]|accesc?[oaie]",
  done: "fatto|ecco fatto|ok|perfetto|certo|va bene",
  not: "non|mai|ieri|fa",
  unreal: "se|quando|dopo|vuoi|appena avro|una volta che|finche|avrei|potrei",
  text: "testo|frase|frasi|paragrafo|tabella|codice|comment[oi]|esempio|funzione|versione|bozza|seguito|sotto|sopra|titolo|lettera|parola|parole|punto",
};

const german: Language = {
  me: "(?:ich habe?|habe ich)(?: [^ ]+){0,9}?",
  sending: "gesendet|geschickt|verschickt|abgeschickt|weitergeleitet",
  reaching:
    "gebucht|reserviert|eingeschaltet|ausgeschaltet|angemacht|ausgemacht|angeschaltet|abgeschaltet|heruntergeladen|installiert|gedruckt|ausgedruckt|abgespielt|gestartet|bezahlt|uberwiesen|abgesagt|storniert",
  making:
    "hinzugefugt|eingetragen|erstellt|angelegt|gestellt|gesetzt|gespeichert|notiert|verschoben|geandert|aktualisiert|eingestellt|aufgenommen|vermerkt|hochgefahren|heruntergefahren|geschlossen|geoffnet",
  ending: "geloscht|umbenannt|verschoben|archiviert|entfernt",
  it: "es|sie|ihn|das",
  things:
    "[a-z]*kalender|[a-z]*termin[e]?|erinnerung(?:en)?|wecker|timer|notiz(?:en)?|einkaufsliste|aufgabenliste|to-?do-liste|kontakte?|besprechung|licht|lichter|lampe|heizung|thermostat|lautstarke|rollladen|rolllaeden|playlist|aufgabe",
  files: "datei(?:en)?|ordner|fotos?",
  letters: "e-?mails?|mails?|nachricht(?:en)?",
  looked: "nachgesehen|nachgeschaut|geschaut|gepruft|uberpruft|durchsucht|gesucht|angesehen",
  seen: "[a-z]*kalender|postfach|posteingang|mails|e-mails|notizen|dateien|internet|web|netz|kontakte|nachrichten|wetterbericht",
  been: "(?:wurden?|ist|sind) (?:jetzt|nun|bereits|soeben)(?: [^ ]+){0,4}?|wurden?(?: [^ ]+){0,5}?",
  is: "(?:ist|sind)(?: [^ ]+){0,5}?",
  states:
    "gesendet|verschickt|gestellt|eingetragen|gebucht|geloscht|gespeichert|verschoben|abgesagt|erstellt|hinzugefugt|an|aus|eingeschaltet|ausgeschaltet|gesetzt",
  done: "erledigt|fertig|ok|okay|gut|alles klar|gemacht",
  not: "nicht|keine?[mnrs]?|nie|gestern|vorhin",
  unreal: "wenn|sobald|falls|ob|nachdem|wurde ich|konnte|sollte|als|sag|sagte|schreib",
  text: "absatz|absatze|uberschrift|text|satz|satze|tabelle|code|kommentare?|beispiele?|funktion|unten|oben|folgende[nrs]?|entwurf|fassung|worter|brief",
};

const french: Language = {
  me: "(?:j'ai|je (?:l'|les |vous (?:l')?|lui |t'|te l')ai)(?: (?:bien|deja|aussi))*",
  sending: "envoye|envoyee|transfere|transmis",
  reaching: "reserve|allume|eteint|imprime|telecharge|installe|paye|redemarre",
  making:
    "ajoute|cree|programme|regle|mis|enregistre|note|deplace|modifie|change|baisse|augmente|place",
  ending: "supprime|efface|renomme|archive|deplace|annule",
  it: "je l'ai|je les ai",
  things:
    "calendrier|agenda|rappel|reveil|alarme|minuteur|evenement|rendez-vous|reunion|(?:vos|tes) notes|liste de courses|liste de taches|contacts?|lumieres?|lampe|chauffage|thermostat|volume|volets|playlist|tache",
  files: "fichiers?|dossier|photos?",
  letters: "e-?mails?|mails?|courriel|messages?",
  looked: "verifie|consulte|regarde|cherche|recherche",
  seen: "calendrier|agenda|boite|mails|e-mails|(?:vos|tes) notes|fichiers|internet|web|contacts|meteo",
  been: "(?:a|ont) (?:bien )?ete|(?:est|sont) maintenant",
  is: "est|sont",
  states:
    "envoye[es]*|programme[es]*|ajoute[es]*|supprime[es]*|reserve[es]*|enregistre[es]*|deplace[es]*|annule[es]*|regle[es]*|cree[es]*|allume[es]*|eteinte?s?",
  done: "c'est fait|fait|voila|parfait|d'accord|ok|bien sur",
  not: "pas|jamais|hier|aucune?",
  unreal: "si|quand|lorsque|apres|une fois|pourrais|aurais",
  text: "texte|phrases?|paragraphe|tableau|code|commentaires?|exemple|fonction|ci-dessous|ci-dessus|brouillon|version|lettre|titre|mots?",
};

const spanish: Language = {
  me: "(?:(?:lo|la|los|las|te|le|se|ya) )*he(?: ya)?",
  past: "envie|mande|reserve|apague|encendi|anadi|agregue|borre|elimine|guarde|cree|programe|configure|puse|cancele",
  sending: "enviado|mandado|reenviado",
  reaching: "reservado|encendido|apagado|impreso|descargado|instalado|pagado",
  making:
    "anadido|agregado|creado|puesto|programado|guardado|anotado|movido|configurado|actualizado|cambiado|subido|bajado|apuntado",
  ending: "borrado|eliminado|renombrado|archivado|movido|cancelado",
  it: "lo he|la he|los he|las he",
  things:
    "calendario|agenda|recordatorio|alarma|despertador|temporizador|evento|cita|reunion|(?:tus|una) notas?|lista de la compra|lista de tareas|tu lista|contactos?|luz|luces|lampara|calefaccion|termostato|volumen|persianas|playlist|tarea",
  files: "archivos?|ficheros?|carpeta|fotos?",
  letters: "correos?|mensajes?",
  looked: "revisado|mirado|consultado|buscado|comprobado",
  seen: "calendario|agenda|correos|bandeja|tus notas|archivos|internet|web|contactos|tiempo",
  been: "(?:ha|han) sido|(?:esta|estan) (?:ahora|ya)|se ha",
  is: "esta|estan|queda",
  states:
    "enviad[oa]s?|puest[oa]s?|programad[oa]s?|anadid[oa]s?|borrad[oa]s?|eliminad[oa]s?|reservad[oa]s?|guardad[oa]s?|cancelad[oa]s?|cread[oa]s?|encendid[oa]s?|apagad[oa]s?",
  done: "listo|hecho|ya esta|perfecto|vale|claro|ok|de acuerdo",
  not: "no|nunca|ayer|hace",
  unreal: "si|cuando|despues|una vez|hubiera|habria|podria",
  text: "texto|frases?|parrafo|tabla|codigo|comentarios?|ejemplo|funcion|abajo|arriba|siguiente|borrador|version|carta|titulo|palabras?",
};

export const languages: readonly Language[] = [english, italian, german, french, spanish];
