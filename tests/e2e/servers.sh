# shellcheck shell=bash disable=SC2086
# Throw-away mail servers on 127.0.0.1, as root or as an ordinary user. To be sourced (bash).
#
#   servers_up DIR BASEPORT   starts them; DIR is a new, short, absolute path (sockets lie in it: under 60 characters)
#                             that the servers' own users can enter; BASEPORT.. +30 are free (free_ports finds them)
#   servers_down              stops each by its own process id and waits until it is gone
#   free_ports                prints a base
#
# servers_up exports
#   MAIL_DIR MAIL_CA MAIL_HOST MAIL_DOMAIN      DIR, the authority's certificate, localhost, mail.test
#   IMAP_PORT IMAPS_PORT LMTP_PORT              Dovecot: STARTTLS, TLS, delivery
#   SMTP_PORT SMTPS_PORT                        smtpd.py: STARTTLS, TLS; faults by recipient, see there
#   SMTP_CLEAR_PORT                             smtpd.py without STARTTLS
#   SMTP_BAD_PORTS IMAP_BAD_PORTS               "selfsigned:STARTTLS:TLS expired:... wronghost:...": servers that no client
#                                               may trust; smtp.log and imap.log say what reached them
#   MAIL_DIR/keys                               the key for access tokens (JWT, HS256, the claim "sub" is the user)
#   EXIM_PORT EXIM_TLS_PORT                     Exim; empty where it is not installed
# Users $MAIL_USERS, password "secret", addresses USER@mail.test and USER+ANYTHING@mail.test; their Maildirs are
# DIR/mail/USER/Maildir. Mail that smtpd.py has answered with 250 lies in its Maildir.

servers_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
servers_pids=()
MAIL_USERS=${MAIL_USERS:-game carol dave erin referee}

free_ports() {
	/usr/bin/python3 - <<-'PY'
		import random, socket
		for _ in range(200):
		    base, held = random.randrange(20000, 31000), []
		    try:
		        for port in range(base, base + 31):
		            s = socket.socket()
		            s.bind(("127.0.0.1", port))
		            held.append(s)
		        print(base)
		        break
		    except OSError:
		        pass
		    finally:
		        for s in held:
		            s.close()
		else:
		    raise SystemExit("no 31 free ports in a row")
	PY
}

# An authority; a good certificate; one for another host, one that has expired, and one that nobody has signed.
servers_certificates() { # FOLDER
	(
		set -e
		mkdir -p "$1" && cd "$1" && umask 077
		key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }
		signed() { # NAME ALTERNATIVE-NAMES DAYS
			key "$1"
			openssl req -new -key "$1.key" -subj "/CN=$1" -out "$1.csr"
			printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n' "$2" >"$1.ext"
			openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -sha256 -extfile "$1.ext" \
				-days "$3" -out "$1.pem"
		}
		key ca
		openssl req -x509 -new -key ca.key -sha256 -days 3650 -subj "/CN=test authority" -out ca.pem \
			-addext "keyUsage=critical,keyCertSign,cRLSign"
		signed good DNS:localhost,DNS:mail.test,IP:127.0.0.1 3650
		signed wronghost DNS:elsewhere.test 3650
		signed expired DNS:localhost,IP:127.0.0.1 -1
		key selfsigned
		openssl req -x509 -new -key selfsigned.key -days 3650 -subj "/CN=localhost" -out selfsigned.pem \
			-addext "subjectAltName=DNS:localhost,IP:127.0.0.1"
		chmod 644 ./*.pem
		chmod 711 .
	) >"$1.log" 2>&1 || { cat "$1.log" >&2; return 1; }
}

servers_await() { # PORT WHAT
	local i
	for ((i = 0; i < 500; i++)); do
		(exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return 0
		sleep 0.02
	done
	echo "servers: $2 does not listen on port $1" >&2
	return 1
}

# The user that a server changes to; without root everything stays with whoever started it.
servers_user() { # SYSTEM-USER
	if [ "$(id -u)" = 0 ]; then echo "$1"; else id -un; fi
}

servers_dovecot() {
	local user group user_of_lmtp='' u
	user=$(servers_user dovecot) group=$(id -gn "$(servers_user dovecot)")
	[ "$(id -u)" = 0 ] && user_of_lmtp="user = root"
	mkdir -p "$MAIL_DIR/run" "$MAIL_DIR/state" "$MAIL_DIR/mail"
	[ "$(id -u)" != 0 ] || chown "$user:$group" "$MAIL_DIR/mail"
	for u in $MAIL_USERS; do printf '%s:{PLAIN}secret::::::\n' "$u"; done >"$MAIL_DIR/users"
	# As Courier and Cyrus do it: all folders lie below the inbox.
	printf 'frank:{PLAIN}secret::::::userdb_namespace/inbox/prefix=INBOX. userdb_namespace/inbox/separator=.\n' \
		>>"$MAIL_DIR/users"
	mkdir -p "$MAIL_DIR/keys/default/HS256"
	openssl rand -base64 -out "$MAIL_DIR/keys/default/HS256/default" 32
	chmod -R a+rX "$MAIL_DIR/keys"
	printf 'introspection_mode = local\nlocal_validation_key_dict = fs:posix:prefix=%s/keys/\nusername_attribute = sub\n' \
		"$MAIL_DIR" >"$MAIL_DIR/oauth2.conf.ext"
	sed -e "s#@DIR@#$MAIL_DIR#g; s#@USER@#$user#g; s#@GROUP@#$group#g; s#@LMTP_USER@#$user_of_lmtp#" \
		-e "s#@IMAP@#$IMAP_PORT#g; s#@IMAPS@#$IMAPS_PORT#g; s#@LMTP@#$LMTP_PORT#g" \
		"$servers_here/dovecot.conf" >"$MAIL_DIR/dovecot.conf"
	/usr/sbin/dovecot -F -c "$MAIL_DIR/dovecot.conf" >"$MAIL_DIR/dovecot.out" 2>&1 </dev/null &
	servers_pids+=($!)
	if ! { servers_await "$LMTP_PORT" Dovecot && servers_await "$IMAPS_PORT" Dovecot; }; then
		cat "$MAIL_DIR/dovecot.out" "$MAIL_DIR/dovecot.log" >&2
		return 1
	fi
}

servers_python() { # SCRIPT PORT-TO-AWAIT ARGUMENT...
	local script=$1 port=$2
	shift 2
	/usr/bin/python3 "$servers_here/$script" "$MAIL_DIR" "$@" >"$MAIL_DIR/$script.out" 2>&1 </dev/null &
	servers_pids+=($!)
	servers_await "$port" "$script" || { cat "$MAIL_DIR/$script.out" >&2; return 1; }
}

servers_exim() {
	local user group
	if ! [ -x /usr/sbin/exim4 ]; then
		EXIM_PORT='' EXIM_TLS_PORT=''
		echo "servers: SKIPPED Exim, which is not installed" >&2
		return 0
	fi
	user=$(servers_user Debian-exim) group=$(id -gn "$(servers_user Debian-exim)")
	mkdir -p "$MAIL_DIR/exim/spool" "$MAIL_DIR/exim/log"
	cp "$MAIL_DIR/tls/good.key" "$MAIL_DIR/exim/good.key"
	chmod 600 "$MAIL_DIR/exim/good.key"
	[ "$(id -u)" != 0 ] || chown -R "$user:$group" "$MAIL_DIR/exim"
	sed -e "s#@DIR@#$MAIL_DIR#g; s#@USER@#$user#g; s#@GROUP@#$group#g" \
		-e "s#@SMTP@#$EXIM_PORT#g; s#@SMTPS@#$EXIM_TLS_PORT#g; s#@LMTP@#$LMTP_PORT#g" \
		"$servers_here/exim.conf" >"$MAIL_DIR/exim.conf"
	chmod 644 "$MAIL_DIR/exim.conf"
	/usr/sbin/exim4 -C "$MAIL_DIR/exim.conf" -bdf -q1m >"$MAIL_DIR/exim.out" 2>&1 </dev/null &
	servers_pids+=($!)
	servers_await "$EXIM_PORT" Exim || { cat "$MAIL_DIR/exim.out" "$MAIL_DIR"/exim/log/* >&2; return 1; }
}

servers_up() { # DIR BASEPORT
	local kind at=$2
	export MAIL_DIR=$1 MAIL_CA=$1/tls/ca.pem MAIL_HOST=localhost MAIL_DOMAIN=mail.test MAIL_USERS
	export IMAP_PORT=$at IMAPS_PORT=$((at + 1)) LMTP_PORT=$((at + 2)) SMTP_PORT=$((at + 3)) SMTPS_PORT=$((at + 4))
	export SMTP_CLEAR_PORT=$((at + 5)) EXIM_PORT=$((at + 6)) EXIM_TLS_PORT=$((at + 7))
	export SMTP_BAD_PORTS='' IMAP_BAD_PORTS=''
	at=$((at + 8))
	for kind in selfsigned expired wronghost; do
		SMTP_BAD_PORTS+="$kind:$at:$((at + 1)) "
		IMAP_BAD_PORTS+="$kind:$((at + 2)):$((at + 3)) "
		at=$((at + 4))
	done
	if ! {
		mkdir -p "$MAIL_DIR" && chmod 755 "$MAIL_DIR" && : >"$MAIL_DIR/smtp.log" && : >"$MAIL_DIR/imap.log" &&
			servers_certificates "$MAIL_DIR/tls" && servers_dovecot &&
			servers_python smtpd.py "$SMTP_CLEAR_PORT" "$LMTP_PORT" "good:$SMTP_PORT:$SMTPS_PORT" $SMTP_BAD_PORTS \
				"clear:$SMTP_CLEAR_PORT:0" &&
			servers_python imap_trap.py "$((at - 1))" $IMAP_BAD_PORTS && servers_exim
	}; then
		servers_down
		return 1
	fi
}

servers_down() {
	local pid
	for pid in "${servers_pids[@]}"; do kill "$pid" 2>/dev/null; done
	for pid in "${servers_pids[@]}"; do wait "$pid" 2>/dev/null; done
	servers_pids=()
	return 0
}
