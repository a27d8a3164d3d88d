// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Words that mean the same where tools are concerned, in the languages that people ask in.
import { wordsOf } from "./words.ts";

/** A meaning a line. */
const meanings = `
mail email inbox message newsletter posta messaggio correo mensaje nachricht courriel courrier
send write mail tell post inform scrivi scrivere manda mandare invia inviare schick schreib sende senden envía enviar escribe envoie envoyer écris
reply answer respond rispondi rispondere antworte antworten responde contestar réponds répondre
forward pass inoltra inoltrare weiterleiten leite reenvía reenviar transférer
draft prepare bozza entwurf borrador brouillon
attachment attached allegato anhang adjunto
vacation away holiday absence ferie vacanza urlaub abwesend vacaciones ausente vacances
delete remove cancel erase throw trash drop rid discard cancella cancellare elimina eliminare lösche löschen entferne borra borrar elimina supprime supprimer annulla
create new make add start begin open put write set up crea creare nuovo nuova aggiungi aggiungere erstelle erstellen neu neue anlegen hinzufügen füge crear crea nuevo nueva añade añadir crée créer nouveau nouvelle ajoute
create_event book schedule arrange plan fissa prenota buche reserva reserver
update change edit modify alter correct adjust move postpone cambia modifica sposta ändere ändern verschiebe cambia cambiar modifica mueve modifier change déplace
move rename relocate sposta rinomina verschieben umbenennen mueve renombra déplacer renommer
search find look seek where trova trovare cerca cercare finde finden such suche suchen busca buscar encuentra cherche chercher trouve
list show see display which all mostra mostrami zeige zeig muestra montre affiche
get read show check view say content look leggi leggere lies lesen lee leer lis lire
event appointment meeting calendar agenda schedule date dentist doctor calendario appuntamento appuntamenti impegno impegni riunione termin termine kalender besprechung cita citas reunión evento rendez réunion calendrier
event tomorrow friday monday tuesday wednesday thursday saturday sunday domani venerdì lunedì morgen freitag montag mañana viernes lunes demain vendredi
free busy available availability libero frei libre disponible
respond accept decline invitation invite invito accetta einladung annehmen invitación acepta
birthday birthdays compleanno geburtstag cumpleaños anniversaire
contact contacts phone number address person telefono numero contatto rubrica telefon nummer kontakt teléfono número contacto téléphone numéro
share access permission give condividi teilen freigeben comparte compartir partage
file document report text readme pdf documento datei dokument archivo fichero fichier
directory folder cartella verzeichnis ordner carpeta dossier
write save create content scrivi salva schreibe speichere escribe guarda
size big large space biggest largest full storage dimensione spazio grande größe platz groß tamaño espacio taille
disk space drive storage hard full free disco spazio festplatte speicher platz espacio disque
modified changed touched edited last modification
info metadata details property when
pdf document sheet paper
spreadsheet sheet table excel row cell line column foglio tabelle hoja
commit committed commits repo repository history
branch branches
status pending uncommitted state working
log logs history commits happened
author blame who wrote changed
issue bug ticket problem task story errore fehler incidencia segnalazione
pull pr merge request
workflow ci build pipeline actions run
channel team slack chat group canale kanal
channel_history wrote said discussed discuss talked talk mentioned earlier conversation history messages recent detto parlato discusso gesagt gesprochen besprochen dijimos hablamos dicho hablado parle discute
reaction emoji thumbs react like
status presence
worklog log hours time spent
transition status done move set progress
resolve fix fixed solved close
sentry crash crashes exception error errors bug
database db table tables sql query
query select count rows how many sql
redis cache key
pod pods kubernetes k8s cluster
scale replicas
crash crashing events failing failed error
container containers docker
restart reboot again riavvia neu starten reinicia redémarre
prune clean cleanup unused tidy pulisci aufräumen limpia
alert alerts warning warnings alarm firing allerta warnung aviso alerte
refund money back return payment reimburse
invoice bill fattura rechnung factura facture
meeting call video zoom videocall conference
light lamp bulb lights luce lampada licht lampe luz lámpara lumière
turn_on switch on accendi accendere einschalten schalte anmachen mach enciende encender allume allumer turn
turn_off switch off spegni spegnere ausschalten schalte ausmachen aus apaga apagar éteins éteindre turn
brightness bright dim dark darker brighter luminosità helligkeit hell dunkel brillo luminosité
temperature degrees degree warm warmer cold colder hot heating heat thermostat temperatura gradi caldo freddo riscaldamento temperatur grad warm kalt heizung frío calor calefacción température chauffage
cover blind blinds shutter shutters curtain garage tapparelle persiana rollo jalousie persianas volets
close let down shut lower chiudi schließe cierra ferme
open up raise apri öffne abre ouvre
lock lock door chiave sperre
vacuum hoover robot clean sweep aspirapolvere staubsauger aspiradora aspirateur
energy power electricity consumption consume kwh corrente energia elettricità strom energie electricidad électricité
state door window closed sensor status
camera snapshot picture
play playback music song track listen hear jazz rock album metti suona riproduci spiel spiele abspielen pon reproduce toca joue mets
track song music title piece canzone brano musica lied musik stück canción música chanson morceau musique
next skip prossimo prossima successivo nächste nächstes siguiente suivant suivante
previous back last precedente zurück vorherige anterior précédent
currently now this current
pause stop halt ferma stopp para arrête
volume loud louder quiet quieter soft sound noise mute lautstärke laut leise volumen
volume music sound
playlist list
movie film show series episode watch filme película pelicula serie
video youtube clip film
transcript said caption subtitle words transcription trascrizione
recently new latest recent
browser page website site web navigate tab
navigate open go visit url link
fetch read url article link page http https web download com org net
url http https www
news headline headlines happening notizie nachrichten schlagzeilen noticias nouvelles actualité
restaurant restaurants cafe bar pizzeria shop place local nearby around near ristorante restaurante
place places near nearby around
wikipedia encyclopedia
paper papers article research study scientific science
directions way route drive walk bike cycling driving walking get strada percorso weg camino chemin
distance far long drive travel duration
traffic jam delay traffico verkehr stau tráfico trafic
forecast weather tomorrow rain sunny snow umbrella week wind tempo meteo pioggia piove pioverà wetter regen regnet regnen tiempo lluvia lloverá météo pluie temps
weather current outside cold warm hot temperature conditions now
sun sunset sunrise down rise tramonto alba sonnenuntergang sonne sol
air pollen quality smog
train trains bus tram station departure departures leave leaves rail treno treni parte zug züge bahn abfahrt fährt tren gare départ
journey trip travel public transport
flight flights plane fly airline volo voli flug flüge fliegen vuelo vuelos vol avion
flight_status time late delay gate landed
hotel room night nights stay accommodation albergo camera zimmer übernachtung habitación alojamiento chambre
task tasks todo to-do do list chore aufgabe aufgaben tarea compito tâche
complete done finish finished tick completed check fatto erledigt hecho
remind reminder remember ricordami ricorda promemoria erinnere erinnerung recuérdame recordatorio rappelle rappel
alarm wake clock sveglia svegliami wecker weck despertador despierta réveil réveille
timer minutes countdown minuti minuten minutos
time clock hour ora ore uhr uhrzeit spät hora heure
timezone tokyo york london
note notes noting wrote appunto appunti nota note notiz notizen notas notiert notieren merke merk aufschreiben annota annotare segna appunta annotato apunta anota apuntado noter noté
journal daily diary today diario tagebuch journal
memory remember knowledge
flashcard card learn vocabulary
execute run command terminal shell execute esegui führe ejecuta exécute
process program processes running
kill terminate end quit stop
battery charge power batteria akku batería batterie
screenshot screen picture capture schermo schermata bildschirm pantalla écran
clipboard copy copied paste
notify notification
application app program launch open start
suspend sleep shutdown reboot power hibernate
service daemon
package install software program app
upgrade update updates
print printer stampa stampare drucke drucken imprime imprimer
scan scanner
bluetooth headphone headphones headset earphones speaker
connect pair link collega verbinde conecta connecte
wifi wireless network wlan internet
photo photos picture pictures image foto bild bilder imagen imágenes
image picture draw drawing generate paint
convert change turn umwandeln converti
speech voice audio spoken speak sound recording
transcribe transcription
translate translation traduci traduzione übersetze übersetzen traduce traducir traduis traduire
translate english italian german french spanish inglese englisch englische inglés anglais
word definition mean meaning define
stock share price shares
currency dollar dollars euro euros exchange rate pound valuta währung divisa moneda
bank account balance money konto conto cuenta saldo
transaction spend spent spending paid payment
recipe cook dish ingredient ricetta rezept receta
shopping buy groceries grocery shop milk spesa einkaufen compra
parcel package delivery shipment pacco paket paquete colis
steps sleep heart walk fitness
recommendations recommend suggest suggestion similar advise alike
bibliography cite citation reference references quote source book
edit replace swap substitute rewrite insert
address street road location coordinates position gps where
read unread inbox new
comment say remark feedback write
timezone timezones time convert late cities
scene mood movie night romantic party evening dim
dns domain record subdomain hostname point
list directory files inside contents folder
label labels tag tags category
filter rule automatically sort
save keep star bookmark favourite favorite liked love like
subscriptions subscribe subscribed channels follow
password passwords login credentials secret account
resize smaller bigger shrink crop scale wide
convert png jpg jpeg mp4 mp3 gif svg format turn
merge join combine together one
split separate part single
extract text out sound
speak say aloud loud voice read
crypto bitcoin ethereum coin
fitness steps walked ran exercise workout sleep slept pulse
users members people everybody team who
profile details job title
alarm panel arm burglar alarmed
notification notify popup tell
memory ram swap
kill hang hangs frozen unresponsive stuck
journal syslog system errors boot logged
service started running nginx sshd
apply manifest yaml deploy deployment resource
metric metrics prometheus cpu load latency graph
dashboard dashboards graph chart panel
payment link pay charge checkout
customer customers client clients buyer
recording recordings recorded
insert documents add
collection mongo mongodb
assigned mine
priority urgent important
wiki confluence page documentation docs
append end bottom below add line
attach upload put share file
download save fetch get
recently yesterday latest last
compare diff difference differences changes changed between
staged unstaged stage
project list
pages page
cards due review study
album albums
map route
hostname server machine host
`;

let groups: Map<string, string[]> | null = null;

function grouped(): Map<string, string[]> {
  const made = new Map<string, string[]>();
  for (const line of meanings.trim().split("\n")) {
    const words = [...new Set(wordsOf(line))];
    for (const word of words)
      made.set(word, [...(made.get(word) ?? []), ...words.filter((other) => other !== word)]);
  }
  return made;
}

/** Other words for what a word means, as stems. Most daemons never have so many tools. */
export function sameMeaning(word: string): readonly string[] {
  groups ??= grouped();
  return groups.get(word) ?? [];
}
